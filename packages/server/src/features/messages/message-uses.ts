import type { Reward } from '@overworld/contract/messages/message-fields';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';
import { createPauses } from '../../platform/pauses.ts';
import type { StoredAudience } from './message.ts';

/**
 * Lists the messages to many players that have not ended, and whose conditions or rewards are about a statistic.
 * Messages to one player are not looked through: a game may have millions.
 */
export async function listMessageUses(
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
): Promise<string[][]> {
  const lists: string[][] = things.map(() => []);
  if (things.every(({ kind }) => kind !== 'stat')) return lists;
  const messages = await tx.query<{
    title: string;
    audience: StoredAudience;
    rewards: Reward[];
    is_judged: boolean;
  }>(sql`
    SELECT title, audience, rewards, member_count IS NULL AS is_judged FROM messages
    WHERE game_id = ${game_id} AND player_id IS NULL AND recalled_at IS NULL
      AND (ends_at IS NULL OR ends_at > now())
    ORDER BY sent_at, message_id`);
  const pause = createPauses();
  for (const { title, audience, rewards, is_judged } of messages) {
    await pause();
    // The members at the time of sending stay, whatever the conditions were about.
    const conditions = is_judged ? (audience.properties ?? []) : [];
    const stats = new Set([
      ...conditions.flatMap((condition) => ('stat' in condition ? [condition.stat] : [])),
      ...rewards.flatMap(({ type, key }) => (type === 'stat' ? [key] : [])),
    ]);
    for (const [index, thing] of things.entries()) {
      if (thing.kind === 'stat' && stats.has(thing.key)) {
        lists[index]!.push(`the message "${title}"`);
      }
    }
  }
  return lists;
}
