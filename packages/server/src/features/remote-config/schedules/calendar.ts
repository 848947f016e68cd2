import type { ListEntries, ListedEntry } from '../../../platform/calendar-sources.ts';
import { hasRole } from '../../../platform/auth/accounts.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { ListedSchedule } from './store.ts';

type Row = Omit<ListedEntry, 'may_move' | 'locked_parameters'> &
  Pick<ListedSchedule, 'state' | 'keys'>;

/** Lists the scheduled changes of the config for the calendar. */
export const listScheduleEntries: ListEntries = async (database, { tenant, range, ...asked }) => {
  const rows = await database.query<Row>(sql`
    SELECT id AS key, name AS title, (starts_at AT TIME ZONE ${range.time_zone})::date AS day,
           starts_at, ends_at, state, keys
    FROM config_schedules
    WHERE ${isOfTenant(tenant)} AND state <> 'cancelled'
      AND starts_at < ${range.ends_at} AND COALESCE(ends_at, starts_at) >= ${range.starts_at}
    ORDER BY config_schedules.starts_at, id
    LIMIT ${asked.limit}`);
  const may_change = hasRole(asked.viewer.role, 'developer');
  return rows.map(({ state, keys, ...entry }) => {
    const is_open = state === 'coming' || state === 'running';
    const movable = state === 'coming' ? 'all' : 'end';
    return {
      ...entry,
      may_move: is_open && may_change ? movable : 'none',
      locked_parameters: is_open ? keys : undefined,
    };
  });
};
