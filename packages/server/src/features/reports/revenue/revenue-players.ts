import type { Tenant } from '../../../platform/players/player-key.ts';
import type { DateRange } from '../../../platform/reports/date-range.ts';
import { countActiveDays } from '../active-players/count-active-players.ts';
import type { DayOfPlayers } from '../active-players/report.ts';
import { isActiveWithin } from '../players/activity.ts';
import type { PlayerChoice } from '../players/player-choice.ts';
import { readSlicePlayers } from '../players/slice.ts';
import type { GroupLabel } from '../scan/choose-groups.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import type { RevenueDays } from './revenue-days.ts';

/**
 * The days of a report, with the number of players on each day:
 * in total (`calendar`), and for each group of players.
 */
interface RevenuePlayers {
  calendar: RevenueDays;
  groups: { label: GroupLabel; calendar: RevenueDays }[];
  /**
   * Tells whether the report counts the purchases of a player.
   * The numbers are the halves of the hash of the player's id.
   */
  keeps?: (high: number, low: number) => boolean;
  /** Returns the index of the group of a player, or -1 for a player without a group. */
  groupOf: (high: number, low: number) => number;
}

/**
 * Counts the active and new players of a report that is limited to some players or
 * split into groups. Other reports need no count: the result is the given `calendar`.
 */
export async function readRevenuePlayers(
  database: ExploreDatabase,
  { choice, ...asked }: Tenant & DateRange & { choice: PlayerChoice | null },
  calendar: RevenueDays,
  signal: AbortSignal,
): Promise<RevenuePlayers> {
  if (choice === null) return { calendar, groups: [], groupOf: () => -1 };
  const { days } = calendar;
  // A group is also in the report if its players were active only in the
  // period before the range. The report then shows zero for this group.
  const reported = { from: days[calendar.previous.first]!, to: asked.to };
  const players = await readSlicePlayers(
    database,
    { ...asked, choice },
    signal,
    isActiveWithin(reported),
  );
  const { set, groups } = players;
  const counted = countActiveDays({ from: days[0]!, to: days.at(-1)! }, players);
  const calendarOf = (rows: readonly DayOfPlayers[]): RevenueDays => ({
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
      if (value === -1 || groups === null) return -1;
      const label = groups.label_of[value]!;
      return label < groups.labels.length ? label : -1;
    },
  };
}
