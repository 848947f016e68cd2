import type { Tenant } from '../../../../platform/players/player-key.ts';
import { expectPlayers } from '../../scan/expected-rows.ts';
import type { GroupLabel } from '../../scan/groups.ts';
import type { PlayerChoice } from '../../scan/player-choice.ts';
import { NO_GROUP } from '../../scan/player-groups.ts';
import { findPlayers } from '../../scan/player-set.ts';
import { groupPlayers, isActiveWithin, readActivity } from '../../slices/activity.ts';
import { countActiveDays } from '../../slices/player-days.ts';
import type { ExploreDatabase } from '../../thread/explore-database.ts';
import type { RevenueDays } from './revenue-days.ts';
import type { DateRange } from '../../../../platform/reports/date-range.ts';

/** The days of the players to whom a report is limited, instead of the days of all players. */
interface RevenuePlayers {
  calendar: RevenueDays;
  groups: { label: GroupLabel; calendar: RevenueDays }[];
  /** Tells whether the purchases of a player count, by the hash of the player. */
  keeps?: (high: number, low: number) => boolean;
  /** The index of the group of a player; -1 for none. */
  groupOf: (high: number, low: number) => number;
}

/** Counts the active and new players of a report on some players, and of each of their groups. */
export async function readRevenuePlayers(
  database: ExploreDatabase,
  { choice, ...asked }: Tenant & DateRange & { choice: PlayerChoice | null },
  calendar: RevenueDays,
  signal: AbortSignal,
): Promise<RevenuePlayers> {
  if (choice === null) return { calendar, groups: [], groupOf: () => -1 };
  await expectPlayers(database, asked, ['players', 'active days'], signal);
  const set = await findPlayers(database, asked, choice, signal);
  const { days } = calendar;
  const slice = { ...asked, from: days[0]!, to: days.at(-1)!, choice };
  const activity = await readActivity(database, slice, set, signal);
  // Activity before the range counts too. So a group that is no longer active is still in the report, with
  // zero.
  const reported = { from: days[calendar.previous.first]!, to: asked.to };
  const groups = groupPlayers(slice, set, activity, isActiveWithin(reported));
  const counted = countActiveDays(slice, activity, groups);
  const calendarOf = (rows: typeof counted.total): RevenueDays => ({
    ...calendar,
    active_players: Uint32Array.from(rows, ({ daily }) => daily),
    new_players: Uint32Array.from(rows, ({ new_players }) => new_players),
  });
  const limited = {
    calendar: calendarOf(counted.total),
    keeps: (high: number, low: number) => set.valueOf(high, low) !== -1,
  };
  return {
    ...(choice.players === null ? { calendar } : limited),
    groups: (groups?.labels ?? []).map((label, index) => ({
      label,
      calendar: calendarOf(counted.parts[index]!),
    })),
    groupOf(high, low) {
      const value = set.valueOf(high, low);
      const label = value === -1 || groups === null ? NO_GROUP : groups.label_of[value]!;
      return label === NO_GROUP ? -1 : label;
    },
  };
}
