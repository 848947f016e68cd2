import type { ListEntries, ListedEntry } from '../../platform/calendar-sources.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import { mayEdit } from './annotations.ts';

type Row = Omit<ListedEntry, 'may_move'> & { author_id: string | null };

/** Lists the notes of members for the calendar. */
export const listNoteEntries: ListEntries = async (database, { tenant, range, limit, viewer }) => {
  const notes = await database.query<Row>(sql`
    SELECT id AS key, text AS title, day, at IS NULL AS is_all_day, author_id,
           COALESCE(at, day::timestamp AT TIME ZONE ${range.time_zone}) AS starts_at, NULL AS ends_at
    FROM annotations
    WHERE ${isOfTenant(tenant)} AND day BETWEEN ${range.from} AND ${range.to}
    ORDER BY annotations.day, at NULLS FIRST, id
    LIMIT ${limit}`);
  return notes.map(({ author_id, ...note }) => ({
    ...note,
    may_move: mayEdit({ author_id }, viewer) ? 'all' : 'none',
  }));
};
