import type { Environment } from '@overworld/contract/common';
import type { Queryable } from '../../platform/database/database.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { readDateRange } from '../../platform/reports/date-range.ts';

interface DatedCall {
  params: { game_id: string };
  query: { environment: Environment; from?: string; to?: string };
  database: Queryable;
}

/**
 * Waits until ingest has caught up.
 * @returns the days that a call names, and the game, the environment and the times of the events to read.
 */
export async function selectEvents(
  { params, query, database }: DatedCall,
  waitForInbox: (tenant: Tenant) => Promise<void>,
) {
  const { game_id } = params;
  const { starts_at, ends_at, ...range } = await readDateRange(database, game_id, query);
  const tenant = { game_id, environment: query.environment };
  await waitForInbox(tenant);
  const { from, to, time_zone } = range;
  return { days: { from, to, time_zone }, selection: { ...tenant, starts_at, ends_at } };
}
