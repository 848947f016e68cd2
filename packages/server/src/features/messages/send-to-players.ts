import type { Reward } from '@overworld/contract/messages/message-fields';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';

/** A message that the server itself sends to one player. */
interface PlayerMessage extends PlayerKey {
  message_id: string;
  title: string;
  text: string;
  rewards: readonly Reward[];
  /** Says to members of the game why it was sent. */
  reason: string;
}

/**
 * Sends messages to players, in a transaction of the caller, who has locked the players. A message whose id was
 * sent before is not sent again. No limit of messages holds here: a player gets what was earned. Nor do these
 * messages count towards a limit, because they have no end.
 */
export async function sendToPlayers(
  tx: Queryable,
  messages: readonly PlayerMessage[],
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO messages
      (game_id, environment, message_id, player_id, title, text, translations, data, rewards, reason,
       starts_at, sent_at, is_earned)
    SELECT game_id, environment, message_id, player_id, title, text, '{}', '{}', rewards, reason,
      now(), now(), true
    FROM unnest(${messages.map(({ game_id }) => game_id)}::uuid[],
                ${messages.map(({ environment }) => environment)}::environment[],
                ${messages.map(({ message_id }) => message_id)}::uuid[],
                ${messages.map(({ player_id }) => player_id)}::text[],
                ${messages.map(({ title }) => title)}::text[],
                ${messages.map(({ text }) => text)}::text[],
                ${messages.map(({ rewards }) => JSON.stringify(rewards))}::json[],
                ${messages.map(({ reason }) => reason)}::text[])
      AS sent (game_id, environment, message_id, player_id, title, text, rewards, reason)
    ON CONFLICT (game_id, environment, message_id) DO NOTHING`);
}
