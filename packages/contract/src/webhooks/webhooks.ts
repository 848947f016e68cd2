import type { Static } from 'typebox';
import { answer, errorAnswer, pageAnswer } from '../answers.ts';
import { ENVIRONMENTS, PageQuery } from '../common.ts';
import { limitReached } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { SERVICE_EVENT_TYPES } from './service-events.ts';

const operation = operationsIn('Webhooks');

/** The maximum length of the URL of a webhook, in characters. */
const MAX_WEBHOOK_URL_LENGTH = 2_048;
/** For this many hours after a new secret has replaced an old one, both secrets sign messages. */
export const OLD_SECRET_HOURS = 24;
/** A webhook with failures is disabled when it has had no success for this many hours. */
export const FAILING_HOURS = 24;

const WEBHOOK_DISABLED_REASONS = ['member', 'failures', 'gone'] as const;

const Url = t.String(
  'Address that gets the messages, with `https://` or `http://`, and without user name, password and fragment. It must be on the internet, unless the installation sets `ALLOW_PRIVATE_WEBHOOKS`.',
  { minLength: 1, maxLength: MAX_WEBHOOK_URL_LENGTH },
);
const Description = t.String('Note for the members of the game.', { maxLength: 255 });
const Environments = t.Array(t.Enum(ENVIRONMENTS), {
  description: 'Environments whose events it gets. Events of the whole game come in any case.',
  minItems: 1,
  uniqueItems: true,
});
const Events = t.Array(t.Enum(SERVICE_EVENT_TYPES), {
  description: 'Events that it gets. With none, it gets only alerts that name it.',
  uniqueItems: true,
});

const Webhook = t.Resource('Webhook', {
  id: t.Uuid('Id of the webhook.'),
  url: t.String(
    'Address that gets the messages. Members below admin see its host and `…`, because path and query may hold a secret.',
  ),
  description: t.String('Note for the members of the game.'),
  environments: Environments,
  events: Events,
  created_at: t.Timestamp('When it was made.'),
  disabled_at: t.Nullable(t.Timestamp('Since when it gets no messages; null: it gets them.')),
  disabled_reason: t.Nullable(
    t.Enum(
      WEBHOOK_DISABLED_REASONS,
      '`member`: a member has disabled it. `failures`: it has answered nothing with success for a day. `gone`: it has answered 410.',
    ),
  ),
  failing_since: t.Nullable(
    t.Timestamp('The first failure since the last success; null: the last message arrived.'),
  ),
  dropped_count: t.Integer(
    'Messages that were dropped before they were sent, because the game had too many on record.',
  ),
  old_secret_until: t.Nullable(
    t.Timestamp('Until when the secret that was replaced signs too; null: there is none.'),
  ),
});
export type Webhook = Static<typeof Webhook>;

const example = {
  id: 'c1f8a5d0-2b7e-4f64-9a3e-5d1f0b7c8e21',
  url: 'https://hooks.studio.example/overworld',
  description: 'Posts to the channel of the live team',
  environments: ['production' as const],
  events: ['achievement.unlocked' as const, 'quota.reached' as const],
  created_at: '2026-03-01T09:05:00.000Z',
  disabled_at: null,
  disabled_reason: null,
  failing_since: null,
  dropped_count: 0,
  old_secret_until: null,
};

const Secret = t.String(
  'The secret that signs messages, beginning with `whsec_`. Nobody can read it again.',
);
const shownSecret = 'whsec_4f0dW9y7kQmVt2LhGv0bXcE1sRj8Zp3A';
const WithSecret = t.Object({ ...Webhook.properties, secret: Secret });

const wrongUrl = errorAnswer(
  'A field is missing or invalid, or `url` is in a private network; `error` names it.',
  'url must be on the internet: 10.0.0.7 is in a private network, which the operator allows by ALLOW_PRIVATE_WEBHOOKS=true',
);

export const listWebhooks = operation('GET /v1/games/{game_id}/webhooks', {
  access: 'viewer',
  summary: 'List the webhooks of a game',
  description: 'The oldest first. Secrets are never shown again.',
  query: PageQuery,
  answers: { 200: pageAnswer('A page of webhooks.', 'webhooks', Webhook, example) },
});

export const createWebhook = operation('POST /v1/games/{game_id}/webhooks', {
  access: 'admin',
  summary: 'Make a webhook',
  description:
    'Events of the service that happen from now on are sent to the address by POST, at least once each and in no fixed order, signed as [Standard Webhooks](https://www.standardwebhooks.com) states. `secret` is shown in this answer and never again.',
  body: t.Object({
    url: Url,
    description: t.Optional(Description),
    environments: t.Optional(Environments),
    events: Events,
  }),
  example: {
    url: example.url,
    description: example.description,
    environments: example.environments,
    events: example.events,
  },
  answers: {
    201: answer('The webhook gets messages from now on.', WithSecret, {
      ...example,
      secret: shownSecret,
    }),
    400: wrongUrl,
    403: limitReached(
      'The role does not allow it, or the game has reached its limit of webhooks.',
      'webhooks',
    ),
  },
});

export const updateWebhook = operation('PATCH /v1/games/{game_id}/webhooks/{webhook_id}', {
  access: 'admin',
  summary: 'Change a webhook',
  description:
    'Members that are left out stay. `enabled: false` ends messages that wait; `true` begins with the events from now on, and earlier messages can be sent again one by one.',
  body: t.Changes({
    url: Url,
    description: Description,
    environments: Environments,
    events: Events,
    enabled: t.Boolean('Whether it gets messages.'),
  }),
  example: { events: ['player.erased'] },
  answers: {
    200: answer('The webhook as it is now.', Webhook, { ...example, events: ['player.erased'] }),
    400: wrongUrl,
  },
});

export const rotateWebhookSecret = operation(
  'POST /v1/games/{game_id}/webhooks/{webhook_id}/rotate-secret',
  {
    access: 'admin',
    summary: 'Replace the secret of a webhook',
    description: `Takes no body. The new secret is shown in this answer and never again. For ${OLD_SECRET_HOURS} hours each message has two signatures, one of each secret, so that no receiver misses one.`,
    answers: {
      200: answer('The new secret.', WithSecret, {
        ...example,
        old_secret_until: '2026-03-02T10:00:00.000Z',
        secret: shownSecret,
      }),
    },
  },
);

export const deleteWebhook = operation('DELETE /v1/games/{game_id}/webhooks/{webhook_id}', {
  access: 'admin',
  summary: 'Delete a webhook',
  description: 'Messages that wait are not sent any more, and its record of messages is deleted.',
  answers: { 204: { description: 'The webhook is deleted.' } },
});
