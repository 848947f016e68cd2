import type { Static } from 'typebox';
import { answer, errorAnswer, pageAnswer } from '../answers.ts';
import { EnvironmentName, PageQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Webhooks');

/** Days for which messages stay on record. */
export const KEPT_DELIVERY_DAYS = 7;
/** A receiver must answer within this many seconds. */
export const DELIVERY_TIMEOUT_S = 10;
/** The number of characters of a receiver's answer that stay on record. */
export const MAX_ANSWER_EXCERPT = 1_000;

const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
const STATE_IN_WORDS =
  '`waiting`: not sent yet, or tried again at `next_attempt_at`. `delivered`: answered with 2xx. `failed`: not tried again.';

const Delivery = t.Resource('WebhookDelivery', {
  id: t.Uuid('Id of the message: its `webhook-id`, the same in each attempt.'),
  event_type: t.String('Event, such as `achievement.unlocked`.'),
  environment: t.Nullable(EnvironmentName),
  state: t.Enum(DELIVERY_STATES, STATE_IN_WORDS),
  created_at: t.Timestamp('When the event happened.'),
  attempts: t.Integer('Attempts so far.'),
  next_attempt_at: t.Nullable(t.Timestamp('When the next attempt is due; null: there is none.')),
  last_attempt_at: t.Nullable(t.Timestamp('When the last attempt ended; null: there was none.')),
  answer_status: t.Nullable(t.Integer('Status of the last answer; null: there was no answer.')),
  answer_text: t.Nullable(
    t.String(
      `Up to ${MAX_ANSWER_EXCERPT} characters of the last answer; null: there was none, or the caller is no admin of the game, because an answer may repeat the secret path.`,
    ),
  ),
  error: t.Nullable(t.String('Why the last attempt failed, in words; null: it did not.')),
  duration_ms: t.Nullable(t.Integer('Duration of the last attempt.')),
  body: t.String('The JSON text that is sent. Slack and Discord get its contents in words.'),
});
export type Delivery = Static<typeof Delivery>;

const example = {
  id: '3a1d9b9e-2c4f-4c6d-8a58-0f5b7e2d6c11',
  event_type: 'achievement.unlocked',
  environment: 'production',
  state: 'delivered',
  created_at: '2026-03-01T18:24:05.120Z',
  attempts: 1,
  next_attempt_at: null,
  last_attempt_at: '2026-03-01T18:24:05.910Z',
  answer_status: 200,
  answer_text: 'ok',
  error: null,
  duration_ms: 182,
  body: '{"type":"achievement.unlocked","timestamp":"2026-03-01T18:24:05.120Z","data":{}}',
};

export const listWebhookDeliveries = operation(
  'GET /v1/games/{game_id}/webhooks/{webhook_id}/deliveries',
  {
    access: 'viewer',
    summary: 'List the messages of a webhook',
    description: `The newest first, for ${KEPT_DELIVERY_DAYS} days. Near the limit of messages of the game, old ones go earlier. Messages about a player go when the player is erased.`,
    query: t.Object({
      ...PageQuery.properties,
      state: t.Optional(t.Enum(DELIVERY_STATES, 'Only messages in this state.')),
    }),
    answers: { 200: pageAnswer('A page of messages.', 'deliveries', Delivery, example) },
  },
);

export const testWebhook = operation('POST /v1/games/{game_id}/webhooks/{webhook_id}/test', {
  access: 'developer',
  summary: 'Send a test message to a webhook',
  description:
    'Takes no body. A message with the type `webhook.test` goes out within a second; its record shows the answer. It is tried once.',
  answers: {
    202: answer('The message is on its way.', Delivery, {
      ...example,
      event_type: 'webhook.test',
      environment: null,
      state: 'waiting',
      attempts: 0,
      next_attempt_at: '2026-03-01T18:24:05.120Z',
      last_attempt_at: null,
      answer_status: null,
      answer_text: null,
      duration_ms: null,
      body: '{"type":"webhook.test","timestamp":"2026-03-01T18:24:05.120Z","data":{}}',
    }),
    409: errorAnswer(
      'The webhook is disabled, or its last test still waits.',
      'The webhook is disabled: enable it first',
    ),
  },
});

export const retryWebhookDelivery = operation(
  'POST /v1/games/{game_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
  {
    access: 'developer',
    summary: 'Send a message again',
    description:
      'Takes no body. The message goes out within a second with the same `webhook-id`, whatever its state, and is tried for a day.',
    answers: {
      202: answer('The message is on its way.', Delivery, {
        ...example,
        state: 'waiting',
        next_attempt_at: '2026-03-01T19:00:00.000Z',
      }),
      409: errorAnswer('The webhook is disabled.', 'The webhook is disabled: enable it first'),
    },
  },
);
