import { KEPT_PAST_SCHEDULES } from '@overworld/contract/remote-config/schedules';
import type { listConfigSchedules } from '@overworld/contract/remote-config/schedules';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';

/** A scheduled change as lists show it: without its parameters. */
export type ListedSchedule = SuccessOf<typeof listConfigSchedules>['open'][number];

export interface StoredSchedule extends ListedSchedule {
  /** JSON text. */
  parameters: string;
  /** JSON text: the values that these parameters had before the change started. */
  previous: string | null;
  author_id: string | null;
}

const listedColumns = sql`id, name, version, state, starts_at, ends_at, keys, author, started_version,
  ended_version, kept_keys, problem, created_at, updated_at, closed_at`;
const columns = sql`${listedColumns}, parameters, previous, author_id`;

/** Lists the coming and running changes, in the order of their starts. */
export const listOpenSchedules = (database: Queryable, tenant: Tenant): Promise<ListedSchedule[]> =>
  database.query(sql`
    SELECT ${listedColumns} FROM config_schedules
    WHERE ${isOfTenant(tenant)} AND next_at IS NOT NULL
    ORDER BY starts_at, id`);

/** Lists the changes that are over, the newest first. */
export const listPastSchedules = (database: Queryable, tenant: Tenant): Promise<ListedSchedule[]> =>
  database.query(sql`
    SELECT ${listedColumns} FROM config_schedules
    WHERE ${isOfTenant(tenant)} AND next_at IS NULL
    ORDER BY closed_at DESC, id`);

export const findSchedule = (
  database: Queryable,
  tenant: Tenant,
  id: string,
): Promise<StoredSchedule | null> =>
  database.queryOne(sql`
    SELECT ${columns} FROM config_schedules WHERE ${isOfTenant(tenant)} AND id = ${id}`);

/** Lists the changes that have begun and not ended, in the order of their starts. */
export const listRunningSchedules = (
  database: Queryable,
  tenant: Tenant,
): Promise<StoredSchedule[]> =>
  database.query(sql`
    SELECT ${columns} FROM config_schedules
    WHERE ${isOfTenant(tenant)} AND next_at IS NOT NULL AND state = 'running'
    ORDER BY starts_at, id`);

/** Lists the changes whose start or end is due. Of those due at the same moment, ends come before starts. */
export const listDueSchedules = (
  tx: Queryable,
  tenant: Tenant,
  now: Date,
): Promise<StoredSchedule[]> =>
  tx.query(sql`
    SELECT ${columns} FROM config_schedules
    WHERE ${isOfTenant(tenant)} AND next_at <= ${now.toISOString()}
    ORDER BY next_at, state = 'coming', id`);

/** Lists the environments in which a start or an end is due. */
export const listDueTenants = (database: Queryable, now: Date): Promise<Tenant[]> =>
  database.query(sql`
    SELECT DISTINCT game_id, environment FROM config_schedules
    WHERE next_at <= ${now.toISOString()}`);

/** Finds the time of the next start or end in an environment; null when there is none. */
export async function findNextChange(database: Queryable, tenant: Tenant): Promise<number | null> {
  const row = await database.queryOne<{ next_at: string | null }>(sql`
    SELECT min(next_at) AS next_at FROM config_schedules
    WHERE ${isOfTenant(tenant)} AND next_at IS NOT NULL`);
  const next_at = row?.next_at ?? null;
  return next_at === null ? null : Date.parse(next_at);
}

/**
 * Stores the present state of a scheduled change. Of the changes that are over, only the newest stay stored.
 */
export async function putSchedule(
  tx: Queryable,
  tenant: Tenant,
  schedule: StoredSchedule,
): Promise<void> {
  const { id, name, version, state, starts_at, ends_at, parameters, keys } = schedule;
  const { previous, kept_keys, problem, author_id, author } = schedule;
  const { started_version, ended_version, created_at, updated_at, closed_at } = schedule;
  await tx.execute(sql`
    INSERT INTO config_schedules
      (game_id, environment, id, name, version, state, starts_at, ends_at, next_at, parameters, keys,
       previous, kept_keys, problem, author_id, author, started_version, ended_version, created_at,
       updated_at, closed_at)
    VALUES (${tenant.game_id}, ${tenant.environment}, ${id}, ${name}, ${version}, ${state}, ${starts_at},
            ${ends_at}, ${nextTime(schedule)}, ${parameters}, ${keys}, ${previous}, ${kept_keys},
            ${problem}, ${author_id}, ${author}, ${started_version}, ${ended_version},
            ${created_at}, ${updated_at}, ${closed_at})
    ON CONFLICT (game_id, environment, id) DO UPDATE SET
      name = EXCLUDED.name, version = EXCLUDED.version, state = EXCLUDED.state, starts_at = EXCLUDED.starts_at,
      ends_at = EXCLUDED.ends_at, next_at = EXCLUDED.next_at, parameters = EXCLUDED.parameters,
      keys = EXCLUDED.keys, previous = EXCLUDED.previous, kept_keys = EXCLUDED.kept_keys,
      problem = EXCLUDED.problem, author_id = EXCLUDED.author_id, author = EXCLUDED.author,
      started_version = EXCLUDED.started_version, ended_version = EXCLUDED.ended_version,
      updated_at = EXCLUDED.updated_at, closed_at = EXCLUDED.closed_at`);
  if (closed_at === null) return;
  await tx.execute(sql`
    DELETE FROM config_schedules
    WHERE ${isOfTenant(tenant)} AND next_at IS NULL AND id NOT IN (
      SELECT id FROM config_schedules
      WHERE ${isOfTenant(tenant)} AND next_at IS NULL
      ORDER BY closed_at DESC, id
      LIMIT ${KEPT_PAST_SCHEDULES})`);
}

function nextTime({ state, starts_at, ends_at }: StoredSchedule): string | null {
  if (state === 'coming') return starts_at;
  return state === 'running' ? ends_at : null;
}
