import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { forEachGroup } from '../../platform/database/each-group.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import { parseExactly } from '../../platform/json/exact-json.ts';
import { isOfTenant, nameOfTenant } from '../../platform/players/player-key.ts';
import { restAfter } from '../../platform/rest.ts';
import { forgetEnded, insertMembers, lockMembers, removeEnded } from './members.ts';
import type { MessageKey } from './members.ts';
import type { StoredAudience } from './message.ts';

/** The sender waits this long for the members, so that a message to some thousand players is answered as sent. */
const SENDER_WAITS_MS = 500;
/** An arbitrary number that distinguishes these advisory locks from others. */
const SENDING_LOCKS = 11_922;

/**
 * Stores the members of messages to segments without joiners, which sends these messages. A statement reads all
 * members as they are at one moment, and its transaction stores them and sends the message, so a killed server has
 * done both or neither. Another one then begins anew.
 * @param shared The messages to many that servers keep in memory.
 */
export function createMemberFreezer(database: GroupedDatabase, shared: DefinitionCache<unknown>) {
  const closing = new AbortController();
  let running: Promise<unknown> | null = null;

  /** @returns whether it has sent the message. */
  const freeze = async (of_game: Database, message: MessageKey): Promise<boolean> => {
    const is_sent = await of_game.transaction(async (tx) => {
      if (!(await tryLock(tx, message))) return false;
      // Erasures under way end first. All later ones know of the message, and note the players for `removeEnded`.
      await of_game.transaction(async (other) => {
        await lockMembers(other, message.game_id);
        await forgetEnded(other, message);
      });
      const found = await tx.queryOne<{ audience: string; now: string }>(sql`
        SELECT audience::text AS audience, clock_timestamp() AS now FROM messages
        WHERE ${isOfMessage(message)} AND is_sending`);
      if (found === null) return false;
      await tx.execute(sql`SET LOCAL statement_timeout = '10min'`);
      const audience = parseExactly(found.audience) as StoredAudience;
      const member_count = await insertMembers(tx, message, audience);
      await lockMembers(tx, message.game_id);
      await removeEnded(tx, message);
      const sent = await tx.execute(sql`
        UPDATE messages
        SET is_sending = false, member_count = ${member_count}, members_at = ${found.now}
        WHERE ${isOfMessage(message)} AND is_sending`);
      if (sent === 0) throw new Recalled();
      await shared.invalidateOnCommit(tx, nameOfTenant(message));
      return true;
    });
    if (is_sent) shared.evict(nameOfTenant(message));
    return is_sent;
  };

  /** One at a time in each process, because each reads all players of an environment. */
  const freezeAlone = (of_game: Database, message: MessageKey): Promise<boolean> => {
    const run = freeze(of_game, message).catch((error: unknown) => {
      if (error instanceof Recalled) return false;
      throw error;
    });
    running = run.catch(() => undefined).finally(() => (running = null));
    return run;
  };

  const whenFree = async (): Promise<void> => {
    if (running === null) return;
    await running;
    // Somebody else may have begun first.
    await whenFree();
  };

  return {
    /** Begins to send a message, and resolves when it is sent or has taken too long for the sender to wait. */
    async begin(of_game: Database, message: MessageKey): Promise<void> {
      const over = new AbortController();
      const send = async () => {
        await whenFree();
        if (!closing.signal.aborted && !over.signal.aborted) await freezeAlone(of_game, message);
      };
      // What fails, or has waited too long for others, is left to `run`, whose failures are logged.
      const sent = send().catch(() => undefined);
      await Promise.race([sent, sleep(SENDER_WAITS_MS, undefined, { ref: false })]);
      over.abort();
    },
    /** Sends the messages that were left over; called by a timer. */
    async run() {
      await forEachGroup(database.groups, async (group) => {
        let isAnySent: boolean;
        do {
          isAnySent = false;
          for (const message of await listSending(group)) {
            await whenFree();
            if (closing.signal.aborted) return;
            const started = performance.now();
            if (await freezeAlone(group, message)) isAnySent = true;
            await restAfter(performance.now() - started, { signal: closing.signal });
          }
        } while (isAnySent);
      });
    },
    /** Waits for the message that is being sent. The others are sent after the next start. */
    async close() {
      closing.abort();
      await running;
    },
  };
}

export type MemberFreezer = ReturnType<typeof createMemberFreezer>;

/** Rolls back the members of a message that was recalled meanwhile. */
class Recalled extends Error {}

const isOfMessage = (message: MessageKey) =>
  sql`${isOfTenant(message)} AND message_id = ${message.message_id}`;

/** @returns false if another server is sending the message. */
async function tryLock(tx: Queryable, { message_id }: MessageKey): Promise<boolean> {
  const row = await tx.queryOne<{ is_locked: boolean }>(sql`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${message_id}::uuid::text, ${SENDING_LOCKS})) AS is_locked`);
  return row!.is_locked;
}

/** Finds the message of each game that has waited longest, so that games take turns. */
const listSending = (group: Database): Promise<MessageKey[]> =>
  group.query<MessageKey>(sql`
    SELECT DISTINCT ON (game_id) game_id, environment, message_id FROM messages
    WHERE is_sending
    ORDER BY game_id, sent_at`);
