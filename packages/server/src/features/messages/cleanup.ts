import { KEPT_MESSAGE_DAYS } from '@overworld/contract/messages/message-limits';
import type { Queryable } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { forEachGroup } from '../../platform/database/each-group.ts';
import { literal, sql } from '../../platform/database/sql.ts';
import type { Api } from '../../platform/http/api.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import { deleteMembers } from './members.ts';
import type { MessageKey } from './members.ts';

const HOUR_MS = 3_600_000;
/** The most messages that one statement deletes, with what players have done with them. */
const MAX_DELETED = 100;

/** Begins to delete messages that ended or were recalled long ago. */
export function startCleanup({ background, database }: Pick<Api, 'background' | 'database'>): void {
  background.onOneServer(HOUR_MS, 'deleting messages that ended long ago', () =>
    deleteOldMessages(database),
  );
}

/** Deletes the messages, with what players have done with them. */
export const deleteOldMessages = ({ groups }: Pick<GroupedDatabase, 'groups'>): Promise<void> =>
  forEachGroup(groups, async (group) => {
    while ((await group.transaction(deleteOver)) === MAX_DELETED);
  });

/** @returns the number of messages. */
async function deleteOver(tx: Queryable): Promise<number> {
  const over = await tx.query<MessageKey & { member_count: number | null }>(sql`
    DELETE FROM messages
    WHERE (game_id, environment, message_id) IN (
      SELECT game_id, environment, message_id FROM messages
      WHERE (ends_at IS NOT NULL OR recalled_at IS NOT NULL)
        AND LEAST(ends_at, recalled_at) < now() - ${literal(KEPT_MESSAGE_DAYS)} * interval '1 day'
      LIMIT ${MAX_DELETED})
    RETURNING game_id, environment, message_id, member_count`);
  for (const { member_count, ...message } of over) {
    await tx.execute(sql`
      DELETE FROM message_states
      WHERE ${isOfTenant(message)} AND message_id = ${message.message_id}`);
    if (member_count !== null) await deleteMembers(tx, message);
  }
  return over.length;
}
