import type {
  CalendarConflict,
  CalendarEntry,
  CalendarKind,
} from '@overworld/contract/games/calendar';
import { MAX_CALENDAR_DAYS, MAX_CALENDAR_ENTRIES } from '@overworld/contract/games/calendar-limits';
import type {
  CalendarQuestion,
  CalendarSources,
  ListedEntry,
  WaitingExperiment,
} from '../../platform/calendar-sources.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { badRequest } from '../../platform/errors.ts';
import { readDateRange } from '../../platform/reports/date-range.ts';
import type { DateRange } from '../../platform/reports/date-range.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_DAYS = 28;

/** @throws ApiError 400 naming the field, 404 when the game is gone. */
export async function readCalendarRange(
  database: Queryable,
  game_id: string,
  query: { from?: string; to?: string },
): Promise<DateRange> {
  const range = await readDateRange(database, game_id, query);
  const from = query.from ?? shiftDay(range.to, 1 - DEFAULT_DAYS);
  if (from !== range.from) return readDateRange(database, game_id, { from, to: range.to });
  const days = (Date.parse(range.to) - Date.parse(range.from)) / DAY_MS + 1;
  if (days > MAX_CALENDAR_DAYS) {
    throw badRequest(`from must be at most ${MAX_CALENDAR_DAYS - 1} days before to`);
  }
  return range;
}

const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

interface Calendar {
  entries: CalendarEntry[];
  cut_kinds: CalendarKind[];
  conflicts: CalendarConflict[];
}

/** Reads the entries of all features, and finds the conflicts between them. */
export async function readCalendar(
  database: Queryable,
  sources: CalendarSources,
  question: Omit<CalendarQuestion, 'limit'>,
): Promise<Calendar> {
  const { tenant } = question;
  const entries: CalendarEntry[] = [];
  const cut_kinds: CalendarKind[] = [];
  const locks: ListedEntry[] = [];
  for (const [kind, listEntries] of sources.list()) {
    const listed = await listEntries(database, { ...question, limit: MAX_CALENDAR_ENTRIES + 1 });
    if (listed.length > MAX_CALENDAR_ENTRIES) cut_kinds.push(kind);
    for (const entry of listed.slice(0, MAX_CALENDAR_ENTRIES)) {
      const { locked_parameters, is_all_day = false, ...shown } = entry;
      entries.push({ kind, ...shown, is_all_day });
      if (locked_parameters !== undefined) locks.push(entry);
    }
  }
  const waiting = locks.length === 0 ? [] : await sources.listWaiting(database, tenant);
  return {
    entries: entries.sort((a, b) => compare(a.starts_at, b.starts_at)),
    cut_kinds,
    conflicts: locks.flatMap((lock) => findConflicts(lock, waiting)),
  };
}

/** Names one parameter of each draft that cannot start while a scheduled change is open. */
function findConflicts(
  { key, title, locked_parameters = [] }: ListedEntry,
  waiting: readonly WaitingExperiment[],
): CalendarConflict[] {
  return waiting.flatMap(({ id, name, parameters }) => {
    const parameter = parameters.find((each) => locked_parameters.includes(each));
    if (parameter === undefined) return [];
    const text = `The experiment "${name}" cannot start until the scheduled change "${title}" is over: both have ${parameter}`;
    return [{ kind: 'experiment_waits', schedule_id: key, experiment_id: id, parameter, text }];
  });
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
