import type { FastifyBaseLogger } from 'fastify';
import type { Database, Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { unavailable } from '../errors.ts';
import { networkOf } from '../network/network-address.ts';
import type { Notifications } from '../database/notifications.ts';
import type { Mail } from './compose.ts';
import type { MailTransport } from './transport.ts';

/** Writes a mail at the moment it is sent; null when there is nothing to send (any more). */
export type WriteMail<Params> = (params: Params, mail_id: string) => Promise<Mail | null>;

export interface MailOutbox {
  /** Says how mails of a kind are written; call before mails are delivered. */
  define<Params extends object>(kind: string, write: WriteMail<Params>): void;
  /** Begins to send what is due; called by a timer, and by itself when a mail is posted. */
  deliverDue(): void;
  /** Mails that wait to be sent. */
  countWaiting(): Promise<number>;
  /** Stops delivering. A mail that does not get away in time stays and is sent at the next start. */
  close(): Promise<void>;
}

/** Whose turn a mail waits for: the caller's network, or the account that it is news of. */
export type MailOwner = { ip: string | null } | { account_id: string };

interface OutboxRow {
  id: string;
  kind: string;
  params: object;
  attempts: number;
  owner: string;
}

const CHANNEL = 'overworld_mails';
/** Waiting times after each attempt that failed; then the mail is given up. */
const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000];
/** One attempt may take so long. A mail that a killed server was sending is due after twice that. */
const ATTEMPT_TIMEOUT_MS = 60_000;
const CLOSE_TIMEOUT_MS = 3_000;
/**
 * Mails at a time on each node, one of each owner: a mail server that hangs on the mails of one leaves
 * the others to be sent.
 */
const LANES = 4;
/** Only while the mail server is away or slow do so many gather. */
const MAX_WAITING_PER_OWNER = 200;
const RETRY_AFTER_S = 120;

/**
 * Puts a mail into the outbox: it is sent after the transaction commits, by whichever node is free,
 * also after a crash. The request never waits for a mail server. `params` is kept in the database
 * until then, so tokens are made by the mail's writer and never part of it.
 *
 * Mails wait in turn: the n-th of an owner is sent after each other owner's n-th, whoever came first.
 * @throws ApiError 503 while too many mails that the network caused wait. News of an account that has
 * too many waiting are left out: the change that they tell of must not fail with them.
 */
export async function postMail(
  tx: Queryable,
  kind: string,
  params: object,
  by: MailOwner,
): Promise<void> {
  const owner = 'ip' in by ? networkOf(by.ip ?? '') : by.account_id;
  const row = await tx.queryOne<{ waiting: number }>(sql`
    WITH own AS (
      SELECT count(*) AS waiting, COALESCE(max(turn), 0) AS last_turn
      FROM mail_outbox WHERE owner = ${owner}
    ),
    next AS (
      SELECT COALESCE(min(turn), 0) AS turn FROM mail_outbox WHERE next_attempt_at <= now()
    ),
    posted AS (
      INSERT INTO mail_outbox (kind, params, owner, turn)
      SELECT ${kind}, ${JSON.stringify(params)}::jsonb, ${owner}, 1 + GREATEST(own.last_turn, next.turn)
      FROM own, next
      WHERE own.waiting < ${MAX_WAITING_PER_OWNER}::integer
      RETURNING pg_notify(${CHANNEL}, '')
    )
    SELECT waiting, (SELECT count(*) FROM posted) FROM own`);
  if (row!.waiting < MAX_WAITING_PER_OWNER || !('ip' in by)) return;
  throw unavailable(
    'Too many mails from your address are waiting to be sent, try again in a few minutes',
    undefined,
    RETRY_AFTER_S,
  );
}

/** Delivers the mails of the outbox, at least once each. */
export function createMailOutbox(options: {
  database: Database;
  notifications: Notifications;
  transport: MailTransport;
  logger: FastifyBaseLogger;
  retry_delays_ms?: readonly number[];
}): MailOutbox {
  const { database, transport, logger, retry_delays_ms = RETRY_DELAYS_MS } = options;
  const writers = new Map<string, WriteMail<object>>();
  const stopped = new AbortController();
  const cutOff = new AbortController();
  const lanes = new Set<Promise<void>>();
  /** Owners of the mails that are being sent. */
  const busy = new Set<string>();
  let posted = false;
  let claiming: Promise<unknown> = Promise.resolve();

  const deliver = async ({ id, kind, params, attempts }: OutboxRow) => {
    try {
      const mail = await writers.get(kind)!(params, id);
      const signal = AbortSignal.any([cutOff.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
      if (mail !== null) await transport.send(mail, kind, signal);
    } catch (error) {
      if (cutOff.signal.aborted) return postpone(database, id, 0);
      const delay_ms = isPermanent(error) ? undefined : retry_delays_ms[attempts - 1];
      const facts = { err: error, mail_id: id, kind, attempts };
      if (delay_ms !== undefined) {
        logger.warn(facts, 'mail not sent, will be tried again');
        return postpone(database, id, delay_ms);
      }
      logger.error(facts, 'mail not sent, given up');
    }
    await database.execute(sql`DELETE FROM mail_outbox WHERE id = ${id}`);
  };

  /** One at a time, so that no two of an owner are taken. */
  const claimNext = (): Promise<OutboxRow | null> => {
    const claimed = claiming
      .catch(() => undefined)
      .then(async () => {
        posted = false;
        const row = await claim(database, [...writers.keys()], [...busy]);
        if (row !== null) busy.add(row.owner);
        return row;
      });
    claiming = claimed;
    return claimed;
  };

  /** Sends one after the other until nothing is due that no other lane's owner has. */
  const runLane = async () => {
    while (!stopped.signal.aborted) {
      const row = await claimNext();
      if (row === null) {
        if (posted) continue;
        return;
      }
      startLane();
      await deliver(row).finally(() => busy.delete(row.owner));
    }
  };
  const startLane = () => {
    if (lanes.size >= LANES || stopped.signal.aborted) return;
    const lane = runLane()
      .catch((error: unknown) => logger.warn({ err: error }, 'sending mails failed'))
      .finally(() => lanes.delete(lane));
    lanes.add(lane);
  };
  const deliverDue = () => {
    posted = true;
    startLane();
  };

  options.notifications.listen(CHANNEL, {
    onNotification: deliverDue,
    onConnected: deliverDue,
    onDisconnected: () => undefined,
  });

  return {
    define(kind, write) {
      writers.set(kind, write as WriteMail<object>);
    },
    deliverDue,
    async countWaiting() {
      const row = await database.queryOne<{ count: number }>(sql`SELECT count(*) FROM mail_outbox`);
      return row!.count;
    },
    async close() {
      stopped.abort();
      const timer = setTimeout(() => cutOff.abort(), CLOSE_TIMEOUT_MS);
      await Promise.all(lanes);
      clearTimeout(timer);
    },
  };
}

/** Takes the mail whose turn it is, so that no other node takes it during the attempt. */
async function claim(
  database: Queryable,
  kinds: string[],
  busy: string[],
): Promise<OutboxRow | null> {
  return database.queryOne<OutboxRow>(sql`
    UPDATE mail_outbox
    SET attempts = attempts + 1,
        next_attempt_at = now() + ${2 * ATTEMPT_TIMEOUT_MS}::integer * interval '1 millisecond'
    WHERE id = (
      SELECT id FROM mail_outbox
      WHERE next_attempt_at <= now() AND kind = ANY(${kinds}::text[])
        AND owner <> ALL(${busy}::text[])
      ORDER BY turn, next_attempt_at
      LIMIT 1
      FOR UPDATE SKIP LOCKED
    )
    RETURNING id, kind, params, attempts, owner`);
}

async function postpone(database: Queryable, id: string, delay_ms: number): Promise<void> {
  await database.execute(sql`
    UPDATE mail_outbox
    SET next_attempt_at = now() + ${delay_ms}::integer * interval '1 millisecond'
    WHERE id = ${id}`);
}

/** Whether the mail server refused this mail for good, as for a mailbox that does not exist. */
const isPermanent = (error: unknown) =>
  error instanceof Error && 'permanent' in error && error.permanent === true;
