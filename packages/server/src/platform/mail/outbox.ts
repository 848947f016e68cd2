import type { FastifyBaseLogger } from 'fastify';
import type { Database, Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { Notifications } from '../notifications.ts';
import type { Mail } from './compose.ts';
import type { MailTransport } from './transport.ts';

/** Writes a mail at the moment it is sent; null when there is nothing to send (any more). */
export type WriteMail<Params> = (params: Params, mail_id: string) => Promise<Mail | null>;

export interface MailOutbox {
  /** Says how mails of a kind are written; call before mails are delivered. */
  define<Params extends object>(kind: string, write: WriteMail<Params>): void;
  /** Sends what is due; called by a timer, and by itself when a mail is posted. */
  deliverDue(): Promise<void>;
  /** Mails that wait to be sent. */
  countWaiting(): Promise<number>;
  /** Stops delivering. A mail that does not get away in time stays and is sent at the next start. */
  close(): Promise<void>;
}

interface OutboxRow {
  id: string;
  kind: string;
  params: object;
  attempts: number;
}

const CHANNEL = 'overworld_mails';
/** Waiting times after each attempt that failed; then the mail is given up. */
const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000];
/** One attempt may take so long. A mail that a killed server was sending is due after twice that. */
const ATTEMPT_TIMEOUT_MS = 60_000;
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * Puts a mail into the outbox: it is sent after the transaction commits, by whichever node is free,
 * also after a crash. The request never waits for a mail server. `params` is kept in the database
 * until then, so tokens are made by the mail's writer and never part of it.
 */
export async function postMail(tx: Queryable, kind: string, params: object): Promise<void> {
  await tx.execute(sql`
    WITH posted AS (
      INSERT INTO mail_outbox (kind, params) VALUES (${kind}, ${JSON.stringify(params)})
      RETURNING id
    )
    SELECT pg_notify(${CHANNEL}, '') FROM posted`);
}

/** Delivers the mails of the outbox, at least once each, one after the other on each node. */
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
  let posted = false;
  let delivering: Promise<void> | undefined;

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

  const deliverAll = async () => {
    while (posted && !stopped.signal.aborted) {
      posted = false;
      while (!stopped.signal.aborted) {
        const row = await claim(database, [...writers.keys()]);
        if (row === null) break;
        await deliver(row);
      }
    }
  };

  const deliverDue = () => {
    posted = true;
    delivering ??= deliverAll().finally(() => {
      delivering = undefined;
    });
    return delivering;
  };
  const deliverSoon = () => {
    deliverDue().catch((error: unknown) => logger.warn({ err: error }, 'sending mails failed'));
  };

  options.notifications.listen(CHANNEL, {
    onNotification: deliverSoon,
    onConnected: deliverSoon,
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
      await delivering?.catch(() => undefined);
      clearTimeout(timer);
    },
  };
}

/** Takes the mail that has waited longest, so that no other node takes it during the attempt. */
async function claim(database: Queryable, kinds: string[]): Promise<OutboxRow | null> {
  return database.queryOne<OutboxRow>(sql`
    UPDATE mail_outbox
    SET attempts = attempts + 1,
        next_attempt_at = now() + ${2 * ATTEMPT_TIMEOUT_MS}::integer * interval '1 millisecond'
    WHERE id = (
      SELECT id FROM mail_outbox
      WHERE next_attempt_at <= now() AND kind = ANY(${kinds}::text[])
      ORDER BY next_attempt_at
      LIMIT 1
      FOR UPDATE SKIP LOCKED
    )
    RETURNING id, kind, params, attempts`);
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
