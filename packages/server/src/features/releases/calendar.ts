import type { ListEntries } from '../../platform/calendar-sources.ts';
import { listReleaseMarks } from './store.ts';

/** Lists the versions of the game that charts mark, for the calendar. */
export const listReleaseEntries: ListEntries = async (database, { tenant, range, limit }) => {
  const marks = await listReleaseMarks(database, tenant, range, limit);
  return marks.toReversed().map(({ id, version, name, day, at }) => ({
    key: id,
    title: `Version ${version}${name === null ? '' : `: ${name}`}`,
    day,
    starts_at: at,
    ends_at: null,
    may_move: 'none',
  }));
};
