import { sql } from '../../platform/database/sql.ts';
import { exportRows } from '../../platform/players/export-rows.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
import { eraseMemberships, mergeMemberships } from './members.ts';

/**
 * The messages of players, and what players have done with messages. If both players of a merge have claimed a
 * message, both have its rewards, and the earlier claim stays on record.
 */
export const messageSource: PlayerDataSource = {
  name: 'messages',
  // In the order in which a claim locks them.
  tables: [
    { table: 'messages', merge: 'move' },
    {
      table: 'message_states',
      merge: {
        key: ['message_id'],
        columns: {
          read_at: 'earliest',
          claimed_at: 'earliest',
          deleted_at: 'keep',
          rewards: sql`CASE WHEN known.claimed_at IS NULL OR EXCLUDED.claimed_at < known.claimed_at
            THEN EXCLUDED.rewards ELSE known.rewards END`,
        },
      },
    },
  ],
  erasePlayer: eraseMemberships,
  mergePlayer: (tx, { player, from }) => mergeMemberships(tx, player, from),
  exportPlayer: exportRows({
    columns: sql`message_id, read_at, claimed_at, deleted_at, rewards,
      (SELECT json_build_object('title', title, 'text', text, 'data', data, 'starts_at', starts_at,
                                'ends_at', ends_at)
       FROM messages WHERE messages.game_id = mine.game_id AND messages.environment = mine.environment
         AND messages.message_id = mine.message_id) AS message`,
    from: sql`(
      SELECT game_id, environment, player_id, message_id, read_at, claimed_at, deleted_at, rewards
      FROM message_states
      UNION ALL
      SELECT game_id, environment, player_id, message_id, NULL, NULL, NULL, NULL
      FROM messages WHERE player_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM message_states AS known
        WHERE known.game_id = messages.game_id AND known.environment = messages.environment
          AND known.player_id = messages.player_id AND known.message_id = messages.message_id)
    ) AS mine`,
    order: ['message_id'],
  }),
};
