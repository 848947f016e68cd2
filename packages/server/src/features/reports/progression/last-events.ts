import { LEFT_AFTER_DAYS } from '@overworld/contract/analytics/limits';
import type { DateRange } from '../../../platform/reports/date-range.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { dayNumber } from '../days.ts';
import { eachActivity } from '../players/activity.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import type { ReadProgression } from './progression-events.ts';

/** For each player, the index of the last event. */
export function findLastEvents({ player_count, players, times, ids }: ReadProgression) {
  const last = new Int32Array(player_count).fill(-1);
  for (let index = 0; index < players.length; index++) {
    const before = last[players[index]!]!;
    const is_later =
      before === -1 ||
      times[index]! > times[before]! ||
      (times[index] === times[before] && ids[index]! > ids[before]!);
    if (is_later) last[players[index]!] = index;
  }
  return last;
}

/** For each player, 1 if the player has left by the rule of the contract. */
export async function findLeft(
  database: ExploreDatabase,
  { to, today, ...tenant }: Tenant & Pick<DateRange, 'to' | 'today'>,
  { player_count, findPlayer }: ReadProgression,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const latest = Math.min(dayNumber(to), dayNumber(today) - LEFT_AFTER_DAYS);
  const has_left = new Uint8Array(player_count);
  await eachActivity(database, tenant, signal, (high, low, { first_day, length }) => {
    const player = findPlayer(high, low);
    if (player !== -1 && first_day + length - 1 <= latest) has_left[player] = 1;
  });
  return has_left;
}
