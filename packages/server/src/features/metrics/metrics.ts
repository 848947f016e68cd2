import { MAX_METRICS } from '@overworld/contract/metrics/metric-limits';
import type { Metric, putMetric } from '@overworld/contract/metrics/metrics';
import type { BodyOf } from '@overworld/contract/operation';
import type { Actor } from '../../platform/audit.ts';
import type { Database } from '../../platform/database/database.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import { requireUnused } from '../../platform/definition-uses.ts';
import type { EndangeredThing, ListUses } from '../../platform/definition-uses.ts';
import { findRatioProblem, readDefinition } from './definition.ts';
import type { MetricDefinition } from './definition.ts';
import * as store from './store.ts';

export interface MetricKey {
  game_id: string;
  metric_key: string;
}

/**
 * Defines or replaces a metric.
 * @throws ApiError 400 that names the wrong field, 409 when the game has its maximum of metrics.
 */
export async function saveMetric(
  database: Database,
  { game_id, metric_key: key }: MetricKey,
  { name, description = '', ...sent }: BodyOf<typeof putMetric>,
  actor: Actor,
): Promise<Metric> {
  const definition = readDefinition(sent);
  return changeGame(database, { game_id, actor }, async (tx, record) => {
    const others = (await store.listMetrics(tx, game_id)).filter((metric) => metric.key !== key);
    requireRoom(others.length + 1);
    const after = new Map(others.map((metric) => [metric.key, metric.definition]));
    after.set(key, definition);
    const mistake = findMistake(after, new Set([key]));
    if (mistake !== null) throw badRequest(mistake.error);
    const saved = await store.upsertMetric(tx, game_id, { key, name, description, definition });
    await record('put_metric', key, { name, ...definition });
    return store.showMetric(saved);
  });
}

/** @throws ApiError 404 when there is no such metric, 409 when others use it. */
export async function removeMetric(
  database: Database,
  listUses: ListUses,
  { game_id, metric_key: key }: MetricKey,
  actor: Actor,
): Promise<void> {
  await changeGame(database, { game_id, actor }, async (tx, record) => {
    if (!(await store.deleteMetric(tx, game_id, key))) throw metricNotFound();
    await requireUnused(listUses, tx, game_id, endangeredMetric(key));
    await record('delete_metric', key);
  });
}

export const metricNotFound = () => notFound('Metric not found');

/** @throws ApiError 409 when the game would have more metrics than it may have. */
export function requireRoom(count: number): void {
  if (count > MAX_METRICS) throw conflict(`A game may have at most ${MAX_METRICS} metrics`);
}

export const endangeredMetric = (key: string): EndangeredThing => ({
  thing: { kind: 'metric', key },
  named: `The metric "${key}"`,
  advice: 'take it out of them first',
});

/**
 * Finds a ratio that would not be sound after a change: its own, or one of which a changed metric is a part.
 * @returns the key of a changed metric, and the mistake in words.
 */
export function findMistake(
  after: ReadonlyMap<string, MetricDefinition>,
  changed: ReadonlySet<string>,
): { key: string; error: string } | null {
  for (const [ratio, definition] of after) {
    const { numerator = '', denominator = '' } = definition;
    const key = [ratio, numerator, denominator].find((it) => changed.has(it));
    if (key === undefined) continue;
    const problem = findRatioProblem(definition, (part) => after.get(part));
    if (problem === null) continue;
    const error = key === ratio ? problem : `The metric "${ratio}" uses it: its ${problem}`;
    return { key, error };
  }
  return null;
}
