import { MAX_SESSION_HISTORY } from '@overworld/contract/players/players';
import type { Database } from '../../platform/database/database.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { PlayerHistory } from '../../platform/players/player-history.ts';
import { getPlayer } from './store.ts';

/** A player with the newest sessions; for `writeJson`. @throws ApiError 404. */
export async function getDetail(
  { database, history }: { database: Database; history: PlayerHistory },
  key: PlayerKey,
) {
  const { player_id, properties, tags, ...times } = await getPlayer(database, key);
  const session_history = await history.listSessions(key, MAX_SESSION_HISTORY);
  return { player_id, properties, tags, session_history, ...times };
}

/** All stored data of a player; for `writeJson`. @throws ApiError 404. */
export async function getExport(
  { database, sources }: { database: Database; sources: readonly PlayerDataSource[] },
  key: PlayerKey,
) {
  const player = await getPlayer(database, key);
  const { game_id, environment } = key;
  const exported_at = new Date().toISOString();
  const members: [string, unknown][] = [];
  for (const { name, exportPlayer } of sources) members.push([name, await exportPlayer(key)]);
  return { game_id, environment, exported_at, player, ...Object.fromEntries(members) };
}
