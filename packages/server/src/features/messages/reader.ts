import { MAX_OWN_MESSAGES } from '@overworld/contract/messages/message-limits';
import { createGroupBatcher } from '../../platform/batch/batcher.ts';
import type { GroupBatcher } from '../../platform/batch/batcher.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import { keyArrays } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { MessageState } from './message.ts';

/** The record about the messages of one player. */
export interface PlayerMessages {
  /** The running messages to the player alone, the newest first. */
  own: { message_id: string; starts_ms: number }[];
  states: Map<string, MessageState>;
}

/**
 * Reads what is on record about the messages of a player. One statement serves concurrent callers, so a player
 * without messages costs two look-ups in indexes.
 */
export type MessageReader = GroupBatcher<PlayerKey, PlayerMessages>;

export const createMessageReader = (database: GroupedDatabase): MessageReader =>
  createGroupBatcher(database, {
    name: 'message look-ups',
    max_batch_size: 32,
    max_queue_length: 20_000,
    gameOf: ({ game_id }) => game_id,
    flush: readPlayers,
  });

interface Row extends MessageState {
  index: number;
  /** Null for a state. */
  starts_at: string | null;
}

async function readPlayers(
  database: Queryable,
  players: readonly PlayerKey[],
): Promise<PlayerMessages[]> {
  const rows = await database.query<Row>(sql`
    WITH asked AS MATERIALIZED (
      SELECT * FROM unnest(${keyArrays(players)}) WITH ORDINALITY
        AS asked (game_id, environment, player_id, number)
    )
    SELECT number - 1 AS index, message_id, starts_at, NULL::timestamptz AS read_at,
           NULL::timestamptz AS claimed_at, false AS is_deleted
    FROM asked
    CROSS JOIN LATERAL (
      SELECT message_id, starts_at FROM messages AS own
      WHERE own.game_id = asked.game_id AND own.environment = asked.environment
        AND own.player_id = asked.player_id AND own.player_id IS NOT NULL AND recalled_at IS NULL
        AND starts_at <= now() AND (ends_at IS NULL OR ends_at > now())
      ORDER BY starts_at DESC
      LIMIT ${MAX_OWN_MESSAGES}
    ) AS own
    UNION ALL
    SELECT number - 1, message_id, NULL, read_at, claimed_at, deleted_at IS NOT NULL
    FROM asked
    CROSS JOIN LATERAL (
      SELECT message_id, read_at, claimed_at, deleted_at FROM message_states AS known
      WHERE known.game_id = asked.game_id AND known.environment = asked.environment
        AND known.player_id = asked.player_id
      OFFSET 0
    ) AS known`);
  const found = players.map((): PlayerMessages => ({ own: [], states: new Map() }));
  for (const { index, starts_at, ...state } of rows) {
    const { own, states } = found[index]!;
    if (starts_at === null) states.set(state.message_id, state);
    else own.push({ message_id: state.message_id, starts_ms: Date.parse(starts_at) });
  }
  return found;
}
