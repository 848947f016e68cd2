import type { CalendarEntry, CalendarKind } from '@overworld/contract/games/calendar';
import type { TokenRole } from '@overworld/contract/operation';
import type { Actor } from './audit.ts';
import type { Queryable } from './database/database.ts';
import type { Tenant } from './players/player-key.ts';
import type { DateRange } from './reports/date-range.ts';

/** An entry of the calendar, as a feature lists it. */
export type ListedEntry = Omit<CalendarEntry, 'kind' | 'is_all_day'> & {
  is_all_day?: boolean;
  /** Keys of parameters that no experiment may have before this is over. */
  locked_parameters?: readonly string[];
};

/** An experiment that has not started, and the keys of its parameters. */
export interface WaitingExperiment {
  id: string;
  name: string;
  parameters: readonly string[];
}

export interface CalendarQuestion {
  tenant: Tenant;
  range: DateRange;
  /** The maximum number of entries of a kind. */
  limit: number;
  /** The caller, who may move some entries. */
  viewer: { actor: Actor; role: TokenRole };
}

/** Lists the entries of a feature that touch the days, the earliest first, by one statement. */
export type ListEntries = (
  database: Queryable,
  question: CalendarQuestion,
) => Promise<ListedEntry[]>;

/** Lists the drafts of experiments of an environment that have parameters. */
export type ListWaiting = (database: Queryable, tenant: Tenant) => Promise<WaitingExperiment[]>;

/** Makes the register into which features enter the things that stand in the calendar. */
export function createCalendarSources() {
  const sources = new Map<CalendarKind, ListEntries>();
  let listWaiting: ListWaiting = () => Promise.resolve([]);
  return {
    add: (kind: CalendarKind, listEntries: ListEntries) => void sources.set(kind, listEntries),
    addWaiting: (list: ListWaiting) => void (listWaiting = list),
    list: () => [...sources],
    listWaiting: (database: Queryable, tenant: Tenant) => listWaiting(database, tenant),
  };
}

/** The features whose things stand in the calendar. */
export type CalendarSources = ReturnType<typeof createCalendarSources>;
