import { MAX_SESSION_HISTORY } from '@overworld/contract/players/players';
import type { Database } from '../../platform/database/database.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { PlayerHistory } from '../../platform/players/player-history.ts';
import { getPlayer } from './store.ts';

/**
 * Reads a player with name and newest sessions, for games too. `writeJson` can write the result.
 * @throws ApiError 404 when there is no such player.
 */
export async function getDetail(database: Database, history: PlayerHistory, key: PlayerKey) {
  const found = await getPlayer(database, key);
  const { player_id, name, properties, tags, first_seen_at, last_seen_at } = found;
  const session_history = await history.listSessions(database, key, MAX_SESSION_HISTORY);
  return { player_id, name, properties, tags, session_history, first_seen_at, last_seen_at };
}
