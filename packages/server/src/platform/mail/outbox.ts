import type { BaseLogger } from 'pino';
import type { Database, Queryable } from '../database/database.ts';
import { selectCount } from '../database/select-count.ts';
import { sql } from '../database/sql.ts';
import { unavailable } from '../errors.ts';
import { networkOf } from '../network/network-address.ts';
import { createSenders } from '../queue/senders.ts';
import type { Notifications } from '../database/notifications.ts';
import type { Mail } from './compose.ts';
import type { MailTransport } from './transport.ts';

/**
 * A function that writes a mail just before it is sent.
 * Returns null when there is nothing to send (any more).
 */
type WriteMail<Params> = (params: Params, mail_id: string) => Promise<Mail | null>;

/**
 * The owner of a mail in the queue: the network of the caller who requested the mail, or the account that the
 * mail informs of a change.
 */
type MailOwner = { ip: string | null } | { account_id: string };

interface OutboxRow {
  id: string;
  kind: string;
  params: object;
  attempts: number;
  owner: string;
}

const CHANNEL = 'overworld_mails';
/**
 * The waiting times between attempts. A mail is dropped when the attempt after the last waiting time fails.
 */
const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000];
/**
 * The time limit of one attempt. A mail that a killed server was sending is due again after twice this
 * time.
 */
const ATTEMPT_TIMEOUT_MS = 60_000;
/**
 * The number of mails that a node sends at the same time, at most one mail of each owner. So a mail server
 * that hangs on the mails of one owner does not stop the mails of others.
 */
const MAX_SENDERS = 4;
/**
 * The most waiting mails of one owner. An owner reaches
 * this number only while the mail server is down or slow.
 */
const MAX_WAITING_PER_OWNER = 200;
const RETRY_AFTER_S = 120;

/**
 * Puts a mail into the outbox. After the commit any free node sends the mail, even after a crash, and the
 * request never waits for a mail server. The database stores `params` until the mail is sent, so they must
 * not contain tokens. The writer of the mail makes the tokens.
 *
 * Owners take turns: the second mail of one owner is sent after the first mail of every other owner.
 * @throws ApiError 503 while too many mails of the network wait. A mail that informs an account of a change
 * is dropped while too many mails of this account wait, because the change itself must not fail.
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

/** Delivers the mails of the outbox, each mail at least once. */
export function createMailOutbox(options: {
  database: Database;
  notifications: Notifications;
  transport: MailTransport;
  logger: BaseLogger;
  /** True if this outbox sends mails when they are posted. Only one worker of a server does so. */
  sends?: boolean;
  retry_delays_ms?: readonly number[];
}) {
  const { database, transport, logger, sends = true, retry_delays_ms = RETRY_DELAYS_MS } = options;
  const writers = new Map<string, WriteMail<object>>();
  /** Owners of the mails that are being sent. */
  const busy = new Set<string>();
  let posted = false;

  const deliver = async ({ id, kind, params, attempts }: OutboxRow, cut_off: AbortSignal) => {
    try {
      const mail = await writers.get(kind)!(params, id);
      const signal = AbortSignal.any([cut_off, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
      if (mail !== null) await transport.send(mail, kind, signal);
    } catch (error) {
      if (cut_off.aborted) return postpone(database, id, 0);
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

  const senders = createSenders<OutboxRow>({
    max: MAX_SENDERS,
    /** Claims the next mail of an owner that has no mail in flight. */
    async claim() {
      let row: OutboxRow | null;
      do {
        posted = false;
        row = await claim(database, [...writers.keys()], [...busy]);
      } while (row === null && posted);
      if (row !== null) busy.add(row.owner);
      return row;
    },
    send: (row, cut_off) => deliver(row, cut_off).finally(() => busy.delete(row.owner)),
    onError: (error) => logger.warn({ err: error }, 'sending mails failed'),
  });
  const deliverDue = () => {
    posted = true;
    senders.start();
  };

  if (sends) {
    options.notifications.listen(CHANNEL, {
      onNotification: deliverDue,
      onConnected: deliverDue,
      onDisconnected: () => undefined,
    });
  }

  return {
    /** Registers the writer of a kind of mails; call before any delivery. */
    define<Params extends object>(kind: string, write: WriteMail<Params>) {
      writers.set(kind, write as WriteMail<object>);
    },
    /** Begins to send the mails that are due; called by a timer, and when a mail is posted. */
    deliverDue,
    /**
     * Sends a mail at once, without the outbox and without a second attempt.
     * @throws Error when the mail server does not accept the mail within `timeout_ms`.
     */
    sendNow: (mail: Mail, kind: string, timeout_ms: number): Promise<void> =>
      transport.send(mail, kind, AbortSignal.timeout(timeout_ms)),
    /** Counts the mails that wait to be sent. */
    countWaiting: (): Promise<number> => selectCount(database, sql`mail_outbox`),
    /** Stops delivering. A mail that is not sent in time is sent after the next start. */
    close: senders.close,
  };
}

export type MailOutbox = ReturnType<typeof createMailOutbox>;

/** Claims the mail whose turn it is. No other node claims this mail during the attempt. */
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

/** Tells whether the mail server refused this mail for good, as for a mailbox that does not exist. */
const isPermanent = (error: unknown) =>
  error instanceof Error && 'permanent' in error && error.permanent === true;
