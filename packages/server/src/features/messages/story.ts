import { sql } from '../../platform/database/sql.ts';
import { isOfPlayer, isOfTenant } from '../../platform/players/player-key.ts';
import { isEarlier, microseconds } from '../../platform/players/story-source.ts';
import type { StoryEntry, StorySource } from '../../platform/players/story-source.ts';

type Row = StoryEntry<'message'> & { at_us: number; key: string };

const KEY = sql`happened.message_id::text || ' ' || action`;

/**
 * The messages to a player, and what the player has done with messages. There are few of each player, because
 * old messages are deleted. A claim also reads, which is no entry of its own.
 */
export const messageStory: StorySource<'message'> = {
  kind: 'message',
  async list(database, player, { before, limit }) {
    const rows = await database.query<Row>(sql`
      SELECT happened.message_id, action, title,
             CASE WHEN action = 'claimed' THEN happened.rewards ELSE messages.rewards END AS rewards,
             ${microseconds(sql`at`)} AS at_us, ${KEY} AS key
      FROM (
        SELECT message_id, 'sent' AS action, sent_at AS at, rewards
        FROM messages WHERE ${isOfPlayer(player)}
        UNION ALL
        SELECT message_id, done.action, done.at, rewards
        FROM message_states
        CROSS JOIN LATERAL (
          VALUES ('read', read_at), ('claimed', claimed_at), ('deleted', deleted_at)
        ) AS done (action, at)
        WHERE ${isOfPlayer(player)} AND done.at IS NOT NULL
          AND (done.action <> 'read' OR claimed_at IS DISTINCT FROM read_at)
      ) AS happened
      JOIN messages ON ${isOfTenant({
        game_id: player.game_id,
        environment: player.environment,
      })} AND messages.message_id = happened.message_id
      WHERE ${isEarlier(sql`at`, KEY, before)}
      ORDER BY at DESC, ${KEY} COLLATE "C" DESC
      LIMIT ${limit}`);
    return {
      rows: rows.map(({ at_us, key, ...entry }) => ({ at_us, key, entry: shorten(entry) })),
    };
  },
};

const shorten = ({ rewards, ...entry }: StoryEntry<'message'>): StoryEntry<'message'> => ({
  ...entry,
  rewards: rewards.map(({ type, key, quantity, value }) => ({
    type,
    key,
    ...(quantity !== undefined && { quantity }),
    ...(value !== undefined && { value }),
  })),
});
