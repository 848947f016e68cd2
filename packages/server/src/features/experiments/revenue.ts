import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { ExperimentMetric } from '@overworld/contract/remote-config/experiment-definition';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { conflict } from '../../platform/errors.ts';
import { readDefinition } from './definition.ts';

/**
 * Finds the revenue settings of a game, which say how its purchase event is read. Another feature implements
 * this.
 */
export type FindRevenueSettings = (
  database: Queryable,
  game_id: string,
) => Promise<RevenueSettings | null>;

/**
 * Returns the settings that are needed to count metrics of revenue; null if no metric is one of revenue.
 * @throws ApiError 409 when the game has not chosen its purchase event, or not one currency for all reports.
 */
export function requireRevenue(
  metrics: readonly ExperimentMetric[],
  settings: RevenueSettings | null,
): RevenueSettings | null {
  if (metrics.every(({ kind }) => kind !== 'revenue')) return null;
  if (settings === null) {
    throw conflict(
      'A metric of revenue needs the purchase event of the game: choose it in the revenue report first',
    );
  }
  if (currencyOf(settings) === null) {
    throw conflict(
      'A metric of revenue needs one currency, and the purchases have several: choose one in the revenue report first',
    );
  }
  return settings;
}

/**
 * Refuses settings that would change the currency of a running experiment's revenue. Its values and caps are
 * in that currency.
 * @param before Null if the game has no settings yet.
 * @throws ApiError 409 that names the experiment.
 */
export async function requireSameCurrency(
  tx: Queryable,
  game_id: string,
  before: RevenueSettings | null,
  after: RevenueSettings,
): Promise<void> {
  if (before === null || currencyOf(before) === currencyOf(after)) return;
  const running = await tx.query<{ id: string; name: string; definition: string }>(sql`
    SELECT experiment_id AS id, name, definition FROM experiments
    WHERE game_id = ${game_id} AND state = 'running' ORDER BY started_at, experiment_id`);
  const measuring = running.find(({ definition }) =>
    readDefinition(definition).metrics.some(({ kind }) => kind === 'revenue'),
  );
  if (measuring === undefined) return;
  throw conflict(
    `The running experiment "${measuring.name}" measures revenue in ${currencyOf(before)}: keep this currency, or stop or ship the experiment first`,
    { experiment_id: measuring.id },
  );
}

/** The currency in which revenue is reported; null if purchases have several and none is chosen. */
const currencyOf = ({ report_currency, currency }: RevenueSettings) => report_currency ?? currency;
