import { FAILING_HOURS } from '@overworld/contract/webhooks/webhooks';
import { DELIVERY_TIMEOUT_S } from '@overworld/contract/webhooks/deliveries';
import type { BaseLogger } from 'pino';
import { openSecret } from '../../platform/auth/sealing.ts';
import type { Database } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { createSenders } from '../../platform/queue/senders.ts';
import type { Listeners } from '../../platform/webhooks/listeners.ts';
import { claimDelivery, noteFailure, noteSuccess, recordAttempt, releaseClaim } from './claims.ts';
import type { ClaimedDelivery } from './claims.ts';
import { postDisabledMails } from './disabled-mail.ts';
import { giveUpWaiting } from './given-up.ts';
import { sendMessage } from './send-message.ts';
import type { Attempt } from './send-message.ts';
import type { CountAttempt } from './sending-metrics.ts';
import { createGameTurns } from './turns.ts';
import type { Turn } from './turns.ts';
import { disableWebhook, ownerOfSecret } from './webhook-store.ts';
import type { DisabledReason, WebhookKey } from './webhook-store.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/**
 * The waits after failures, together a little more than a day. A failure after the last wait ends the
 * attempts.
 */
const RETRY_DELAYS_MS = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  7 * HOUR,
  10 * HOUR,
];
/** Each wait is longer by up to this share, so that messages of one outage do not come back together. */
const JITTER = 0.1;
/** A message that a killed server was sending is due again after this time. */
const LEASE_MS = 3 * DELIVERY_TIMEOUT_S * SECOND;
/** The most messages in flight: on a server, for one game, and for one webhook. */
const MAX_SENDERS = 32;
const MAX_OF_GAME = 4;
const MAX_OF_WEBHOOK = 2;
/**
 * A webhook whose last attempt took longer is slow. All slow webhooks together take at most half of the
 * senders.
 */
const SLOW_MS = 2 * SECOND;
const MAX_SLOW = MAX_SENDERS / 2;
const MAX_KNOWN_SLOW = 10_000;

interface SenderOptions {
  database: GroupedDatabase;
  listeners: Listeners;
  logger: BaseLogger;
  allow_private: boolean;
  countAttempt: CountAttempt;
  lease_ms?: number;
  retry_delays_ms?: readonly number[];
}

/** A message in flight, with the database of its game. */
interface Sending extends ClaimedDelivery {
  readonly game: Database;
}

/** Makes the sender, which sends each message at least once. Games take turns, one message each. */
export function createWebhookSender(options: SenderOptions) {
  const { database, listeners, logger, allow_private, countAttempt } = options;
  const { lease_ms = LEASE_MS, retry_delays_ms = RETRY_DELAYS_MS } = options;
  const in_flight = new Map<string, Sending>();
  /** The slow webhooks. Two games can have webhooks of the same id. */
  const slow = new Map<string, WebhookKey>();
  const turns = createGameTurns(database);

  const countInFlight = (matches: (claimed: ClaimedDelivery) => boolean) =>
    [...in_flight.values()].filter(matches).length;
  const listBusyWebhooks = (game_id: string) => {
    const ids = [...in_flight.values()].filter((each) => each.game_id === game_id);
    const full = ids
      .filter((its) => countInFlight((each) => nameOf(each) === nameOf(its)) >= MAX_OF_WEBHOOK)
      .map(({ webhook_id }) => webhook_id);
    if (countInFlight((each) => slow.has(nameOf(each))) < MAX_SLOW) return full;
    const own = [...slow.values()].filter((each) => each.game_id === game_id);
    return [...full, ...own.map(({ webhook_id }) => webhook_id)];
  };
  const noteDuration = ({ game_id, webhook_id }: ClaimedDelivery, { duration_ms }: Attempt) => {
    const name = nameOf({ game_id, webhook_id });
    slow.delete(name);
    if (duration_ms <= SLOW_MS) return;
    if (slow.size >= MAX_KNOWN_SLOW) slow.delete(slow.keys().next().value!);
    slow.set(name, { game_id, webhook_id });
  };

  const claimOf = async (game_id: string, game: Database): Promise<Turn<Sending>> => {
    const count = countInFlight((each) => each.game_id === game_id);
    if (count >= MAX_OF_GAME) return 'busy';
    const busy = listBusyWebhooks(game_id);
    const claimed = await claimDelivery(game, game_id, busy, lease_ms);
    // Webhooks with too many messages in flight were left out, and may have more messages. So the game stays
    // in the queue, although nothing was found. There are few such games.
    if (claimed === null) return count > 0 ? 'busy' : null;
    const sending = { ...claimed, game };
    in_flight.set(claimed.id, sending);
    return sending;
  };
  const attempt = async (claimed: ClaimedDelivery, cut_off: AbortSignal): Promise<Attempt> => {
    const owner = ownerOfSecret(claimed);
    const sealed = [claimed.sealed_secret, claimed.old_sealed_secret];
    const opened = await Promise.all(
      sealed.map((text) => text && openSecret(database, owner, text)),
    );
    const secrets = opened.filter((secret) => secret !== null);
    if (opened[0] === null) {
      const error = 'The secret cannot be read any more: replace it';
      return { answer_status: null, answer_text: null, error, duration_ms: 0 };
    }
    return sendMessage({ ...claimed, secrets }, { allow_private, cut_off });
  };

  const send = async (claimed: Sending, cut_off: AbortSignal): Promise<void> => {
    const { game } = claimed;
    const made = await attempt(claimed, cut_off);
    noteDuration(claimed, made);
    if (made.error === null) {
      countAttempt('delivered');
      await recordAttempt(game, claimed, made, null);
      return noteSuccess(game, claimed);
    }
    if (cut_off.aborted) return releaseClaim(game, claimed);
    countAttempt('failed');
    // A failed test says nothing about other messages, and the member who sends it sees the failure.
    if (claimed.step < 0) return recordAttempt(game, claimed, made, null);
    const delay_ms = retry_delays_ms[claimed.step];
    const wait_ms = delay_ms === undefined ? null : delay_ms * (1 + JITTER * Math.random());
    await fail(claimed, made, wait_ms === null ? null : Math.round(wait_ms));
  };

  /** Records a failure, and disables a webhook that is gone or has failed for a day. */
  const fail = async (claimed: Sending, made: Attempt, delay_ms: number | null) => {
    const { game } = claimed;
    const disabled = await game.transaction(async (tx) => {
      // This locks the webhook before its messages, in the same order as a member's change of a webhook.
      const failing = await noteFailure(tx, claimed);
      if (failing === null) return null;
      await recordAttempt(tx, claimed, made, failing.is_disabled ? null : delay_ms);
      const reason = reasonToDisable(made, failing.failing_hours);
      const webhook = reason && (await disableWebhook(tx, claimed, reason));
      if (webhook) {
        await postDisabledMails(tx, claimed);
        await listeners.invalidateOnCommit(tx, claimed.game_id);
      }
      return webhook;
    });
    if (disabled === null) return;
    listeners.evict(claimed.game_id);
    await giveUpWaiting(game, claimed);
    const { game_id, webhook_id } = claimed;
    logger.warn({ game_id, webhook_id, reason: disabled.disabled_reason }, 'webhook disabled');
  };

  const senders = createSenders<Sending>({
    max: MAX_SENDERS,
    claim: () => turns.take(claimOf),
    send: (claimed, cut_off) => send(claimed, cut_off).finally(() => in_flight.delete(claimed.id)),
    onError: (error) => logger.warn({ err: error }, 'sending messages to webhooks failed'),
  });

  return {
    /** Begins to send the messages that are due; called by a timer. */
    sendDue: senders.start,
    /** Stops the sender. A message that is not answered in time is sent again after the next start. */
    close: senders.close,
  };
}

export type WebhookSender = ReturnType<typeof createWebhookSender>;

const nameOf = ({ game_id, webhook_id }: WebhookKey): string => `${game_id} ${webhook_id}`;

const GONE = 410;

function reasonToDisable(made: Attempt, failing_hours: number): DisabledReason | null {
  if (made.answer_status === GONE) return 'gone';
  return failing_hours >= FAILING_HOURS ? 'failures' : null;
}
