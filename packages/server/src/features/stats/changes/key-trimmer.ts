import { MAX_STAT_KEYS } from '@overworld/contract/stats/stat-limits';
import type { Database } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import { createKeyTrimmer } from '../../../platform/players/key-trimmer.ts';
import { nameOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { senderOf } from './request-keys.ts';

/** SDKs send a key with each request, so most players never have as many as would be deleted. */
const MIN_KEYS = 100;

/** Makes the trimmer that keeps only the newest keys of each player. */
export const createStatKeyTrimmer = (database: GroupedDatabase) =>
  createKeyTrimmer<PlayerKey>(database, {
    nameOf: nameOfPlayer,
    min_keys: MIN_KEYS,
    deleteOldKeys,
  });

const isOfSender = sql`stored.game_id = asked.game_id AND stored.sender = asked.sender`;

const deleteOldKeys = (database: Database, players: readonly PlayerKey[]): Promise<number> =>
  database.execute(sql`
    DELETE FROM stat_request_keys AS stored
    USING ${rowsAs(
      'asked',
      players.map((player) => ({ game_id: player.game_id, sender: senderOf(player) })),
      { game_id: 'uuid', sender: 'bigint' },
    )}
    CROSS JOIN LATERAL (
      SELECT expires_at FROM stat_request_keys AS stored
      WHERE ${isOfSender}
      ORDER BY expires_at DESC
      OFFSET ${MAX_STAT_KEYS - 1}
      LIMIT 1
    ) AS last_kept
    WHERE ${isOfSender} AND stored.expires_at < last_kept.expires_at`);
