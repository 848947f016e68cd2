import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { MovedStat, StatWatcher } from '../../../platform/players/stat-watcher.ts';
import { nameOfPlayer } from '../../../platform/players/player-key.ts';
import { storeUnits } from './change-store.ts';
import type { StoredUnit } from './change-store.ts';
import type { Unit } from './units.ts';

/**
 * Stores units as `storeUnits` does, in a transaction of their own, in which the watcher judges them.
 * @param watcher Null if nothing watches statistics.
 */
export async function storeAndJudge(
  database: Database,
  watcher: StatWatcher | null,
  units: readonly Unit[],
): Promise<StoredUnit[]> {
  const watched = await findWatched(watcher, units);
  if (watched.size === 0) return database.runAtomically((tx) => storeUnits(tx, units));
  return database.transaction((tx) => storeWatched(tx, watcher!, watched, units));
}

/** Does the same in a transaction of the caller. */
export async function storeWithin(
  tx: Queryable,
  watcher: StatWatcher | null,
  units: readonly Unit[],
): Promise<StoredUnit[]> {
  const watched = await findWatched(watcher, units);
  return watched.size === 0 ? storeUnits(tx, units) : storeWatched(tx, watcher!, watched, units);
}

async function storeWatched(
  tx: Queryable,
  watcher: StatWatcher,
  watched: ReadonlySet<string>,
  units: readonly Unit[],
): Promise<StoredUnit[]> {
  const stored = await storeUnits(tx, units);
  const moved = stored.flatMap(({ is_stored, found }, index) =>
    is_stored ? listMoved(units[index]!, [...found.values()], watched) : [],
  );
  if (moved.length === 0) return stored;
  const unlocked = await watcher.judge(tx, moved);
  if (unlocked.length === 0) return stored;
  const byPlayer = Map.groupBy(unlocked, ({ player }) => nameOfPlayer(player));
  return stored.map((unit, index) => ({
    ...unit,
    unlocked: byPlayer.get(nameOfPlayer(units[index]!.player)) ?? [],
  }));
}

const listMoved = (
  { player }: Unit,
  found: readonly { key: string; value: string }[],
  watched: ReadonlySet<string>,
): MovedStat[] =>
  found
    .filter(({ key }) => watched.has(nameOfStat(player.game_id, key)))
    .map(({ key, value }) => ({ ...player, key, value: Number(value) }));

async function findWatched(
  watcher: StatWatcher | null,
  units: readonly Unit[],
): Promise<ReadonlySet<string>> {
  const watched = new Set<string>();
  if (watcher === null) return watched;
  const asked = new Set<string>();
  for (const { player, requests } of units) {
    for (const { changes } of requests) {
      for (const { key } of changes) {
        const name = nameOfStat(player.game_id, key);
        if (asked.has(name)) continue;
        asked.add(name);
        const is_watched = watcher.watches(player.game_id, key);
        if (is_watched === true || (is_watched !== false && (await is_watched))) watched.add(name);
      }
    }
  }
  return watched;
}

const nameOfStat = (game_id: string, key: string): string => `${game_id} ${key}`;
