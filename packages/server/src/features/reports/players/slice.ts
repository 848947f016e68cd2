import type { DateRange } from '../../../platform/reports/date-range.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { ChosenGroups, GroupLabel } from '../scan/choose-groups.ts';
import { expectPlayers } from '../scan/expected-rows.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { isActiveWithin, readActivity } from './activity.ts';
import type { ActiveDays, PlayerActivity } from './activity.ts';
import { findPlayers } from './find-players.ts';
import type { PlayerChoice } from './player-choice.ts';
import { choosePlayerGroups } from './player-groups.ts';
import type { PlayerSet } from './player-set.ts';

/** The days and the players of a slice: a report that has rollups, counted for some players. */
export interface SliceInput extends Tenant, DateRange {
  choice: PlayerChoice;
}

/** The players of a slice, their active days and their groups. */
export interface SlicePlayers {
  set: PlayerSet;
  activity: PlayerActivity;
  /** Null for a report that is not split. */
  groups: ChosenGroups | null;
}

/**
 * Finds the players of a slice, and divides them into the groups with the most players.
 * @param counts Tells whether a player with these active days counts towards the size of a group.
 */
export async function readSlicePlayers(
  database: ExploreDatabase,
  input: SliceInput,
  signal: AbortSignal,
  counts: (days: ActiveDays) => boolean = isActiveWithin(input),
): Promise<SlicePlayers> {
  await expectPlayers(database, input, ['players', 'active days'], signal);
  const { choice } = input;
  const set = await findPlayers(database, input, choice, signal);
  const activity = await readActivity(database, input, set, signal);
  if (choice.split === null) return { set, activity, groups: null };
  const sizes = new Uint32Array(set.values.length);
  activity.each((value, days) => {
    if (counts(days)) sizes[value]!++;
  });
  return { set, activity, groups: await choosePlayerGroups(set.values, sizes, choice.split_limit) };
}

/**
 * Makes numbers for all players together and numbers for each group. `ofValue`
 * adds a player to the total and to the numbers of the player's group.
 */
export function makeAdder<T>(
  groups: ChosenGroups | null,
  makeNumbers: () => T,
): { total: T; parts: T[]; ofValue: (value: number, add: (numbers: T) => void) => void } {
  const total = makeNumbers();
  const parts = (groups?.labels ?? []).map(() => makeNumbers());
  return {
    total,
    parts,
    ofValue(value, add) {
      add(total);
      const part = groups === null ? undefined : parts[groups.label_of[value]!];
      if (part !== undefined) add(part);
    },
  };
}

/** Returns the numbers of each group with its label. */
export const labelParts = <Part extends object>(
  groups: ChosenGroups | null,
  parts: readonly Part[],
): (GroupLabel & Part)[] =>
  (groups?.labels ?? []).map((label, index) => ({ ...label, ...parts[index]! }));
