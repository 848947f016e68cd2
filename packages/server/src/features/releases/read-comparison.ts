import type { compareReleases } from '@overworld/contract/analytics/release-comparison';
import type { ReleaseComparison } from '@overworld/contract/analytics/release-comparison';
import { MAX_COMPARED_EVENTS } from '@overworld/contract/analytics/release-limits';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { QueryOf } from '@overworld/contract/operation';
import type { Queryable } from '../../platform/database/database.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { readJsonText } from '../../platform/json/parse-json.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import type { OwnerPath } from '../../platform/queue/fair-queue.ts';
import { readDateRange } from '../../platform/reports/date-range.ts';
import type { ReleaseInput, ReleaseOutcomes } from '../../platform/reports/release-outcomes.ts';
import { chooseDays, compareOutcomes } from './comparison.ts';
import type { Statistics } from './comparison.ts';
import { addUpDays, findReleaseDays, listBadEvents } from './comparison-store.ts';
import type { ReleaseDay } from './comparison-store.ts';

export interface ComparisonServices {
  statistics: Statistics;
  /** Waits until all events that were acknowledged before this call can be read. */
  waitForInbox(tenant: Tenant): Promise<void>;
  findRevenueSettings(database: Queryable, game_id: string): Promise<RevenueSettings | null>;
  /** Counts the players of a version in the thread of reports. */
  count(input: ReleaseInput, asker: Asker): Promise<ReleaseOutcomes>;
}

interface Asker {
  owner: OwnerPath;
  signal: AbortSignal;
}

const DAY_MS = 86_400_000;

/** @throws ApiError 400 that names the parameter, 404 for an unknown version, 503 when it takes too long. */
export async function readComparison(
  database: Queryable,
  tenant: Tenant,
  query: QueryOf<typeof compareReleases>,
  { services, asker }: { services: ComparisonServices; asker: Asker },
): Promise<ReleaseComparison> {
  const sent_names = query.event_names === undefined ? null : readNames(query.event_names);
  if (query.release === query.baseline) throw badRequest('release must differ from baseline');
  await services.waitForInbox(tenant);
  const { today, time_zone } = await readDateRange(database, tenant.game_id, {});
  const versions = [query.baseline, query.release];
  const found = await findReleaseDays(database, tenant, versions);
  const compared = versions.map((version) => findVersion(found, version));
  const youngest = Math.max(...compared.map(({ first_day }) => Date.parse(first_day)));
  const age = Math.max(0, (Date.parse(today) - youngest) / DAY_MS);
  const chosen = chooseDays(age);
  const days = query.days ?? chosen.days;
  const ranges = compared.map(({ first_day: from }) => ({
    from,
    to: new Date(Date.parse(from) + (chosen.span - 1) * DAY_MS).toISOString().slice(0, 10),
  }));

  const settings = await services.findRevenueSettings(database, tenant.game_id);
  const has_currency = (settings?.report_currency ?? settings?.currency ?? null) !== null;
  const question = {
    ...tenant,
    time_zone,
    today,
    as_of: new Date().toISOString(),
    days,
    event_names: sent_names ?? (await listBadEvents(database, tenant, ranges)),
    revenue: has_currency ? settings : null,
  };
  const outcomes: ReleaseOutcomes[] = [];
  for (const [index, version] of versions.entries()) {
    outcomes.push(await services.count({ ...question, version, ...ranges[index]! }, asker));
  }
  return {
    time_zone,
    as_of: question.as_of,
    days,
    releases: compared.map(({ version, name }, index) => ({
      version,
      name,
      ...ranges[index]!,
      players: outcomes[index]!.players,
      new_players: outcomes[index]!.new_players,
    })),
    metrics: compareOutcomes(outcomes as never, question, services.statistics),
    of_days: await addUpDays(database, tenant, ranges, time_zone),
  };
}

function findVersion(found: readonly ReleaseDay[], version: string): ReleaseDay {
  const release = found.find((each) => each.version === version);
  if (release === undefined) throw notFound(`Release ${version} not found`);
  return release;
}

function readNames(text: string): string[] {
  const names = readJsonText('event_names', text);
  const isName = (name: unknown) =>
    typeof name === 'string' && name.length > 0 && name.length <= 255;
  if (!Array.isArray(names) || names.length > MAX_COMPARED_EVENTS || !names.every(isName)) {
    throw badRequest(
      `event_names must be a JSON list of at most ${MAX_COMPARED_EVENTS} names of events`,
    );
  }
  return [...new Set(names as string[])];
}
