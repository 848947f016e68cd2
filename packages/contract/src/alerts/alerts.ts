import type { Static } from 'typebox';
import { answer, errorAnswer, pageAnswer } from '../answers.ts';
import { EnvironmentName, EnvironmentQuery, PageQuery } from '../common.ts';
import { limitReached } from '../limits.ts';
import { METRIC_KINDS, METRIC_UNITS } from '../metrics/metric-limits.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { ALERT_PROBLEMS } from './alert-words.ts';
import { BASELINE_IN_WORDS, MAX_CHECK_SECONDS, PERIOD_IN_WORDS, rule } from './alert-rule.ts';

const operation = operationsIn('Alerts');

/** The maximum number of members and webhooks that one alert notifies. */
export const MAX_ALERT_RECIPIENTS = 20;
export const ALERT_STATES = ['unknown', 'ok', 'firing'] as const;

const recipients = {
  account_ids: t.Array(t.Uuid('Id of an account.'), {
    description: 'Members who get a mail. A member who leaves the game is dropped.',
    maxItems: MAX_ALERT_RECIPIENTS,
    uniqueItems: true,
  }),
  webhook_ids: t.Array(t.Uuid('Id of a webhook.'), {
    description:
      'Webhooks that get a message, whatever events they listen to, while they are enabled. A deleted webhook is dropped.',
    maxItems: MAX_ALERT_RECIPIENTS,
    uniqueItems: true,
  }),
};

const AlertSettings = t.Object({
  name: t.NewName('Name of the alert.'),
  environment: EnvironmentName,
  metric: rule.metric,
  metric_key: t.Optional(t.Name('Only for `metric`: the key of a metric of the game.')),
  event_name: t.Optional(t.Name('Only for `events`: count these alone; all events when left out.')),
  period: t.Optional(t.Enum(['day', 'hour'], PERIOD_IN_WORDS, { default: 'day' })),
  comparison: rule.comparison,
  threshold: rule.threshold,
  baseline: t.Optional(t.Enum(['usual', 'previous'], BASELINE_IN_WORDS, { default: 'usual' })),
  cool_down_hours: t.Optional(
    t.Integer(
      'Hours after a notification for which the alert does not say again that it fires; its state and history go on.',
      { minimum: 1, maximum: 720, default: 24 },
    ),
  ),
  muted: t.Optional(t.Boolean('Whether it sends nothing; its state and history go on.')),
  account_ids: t.Optional(recipients.account_ids),
  webhook_ids: t.Optional(recipients.webhook_ids),
});
export type AlertSettings = Static<typeof AlertSettings>;

/** The value of a period, and the baseline with which the value is compared. */
export const reading = {
  value: t.Nullable(t.Number('Value of the period; null: there is no data.')),
  baseline_value: t.Nullable(
    t.Number('Value that it is compared with; null: too little data, or nothing to compare.'),
  ),
};

const Alert = t.Resource('Alert', {
  id: t.Uuid('Id of the alert.'),
  name: t.String('Name of the alert.'),
  environment: EnvironmentName,
  ...rule,
  defined_metric: t.Nullable(
    t.Object(
      {
        name: t.String('Its name.'),
        kind: t.Enum(METRIC_KINDS, 'Its kind.'),
        unit: t.Enum(METRIC_UNITS, 'The unit of its numbers.'),
        currency: t.Nullable(t.String('The currency of its numbers; null if they are not money.')),
      },
      { description: 'The metric of `metric_key`.' },
    ),
  ),
  cool_down_hours: t.Integer('Hours between two notifications that it fires.'),
  muted: t.Boolean('Whether it sends nothing.'),
  ...recipients,
  disabled_webhook_ids: t.Array(t.Uuid('Id of a webhook.'), {
    description:
      'Those of `webhook_ids` that are disabled now, and so get no message of the alert.',
  }),
  created_at: t.Timestamp('When it was made.'),
  state: t.Enum(
    ALERT_STATES,
    '`firing`: the rule held in the last period that had enough data. `unknown`: there was none since the rule was set.',
  ),
  state_since: t.Timestamp('Since when it is in this state.'),
  last_period: t.Nullable(t.Timestamp('When the last checked period began; null: none was.')),
  last_value: reading.value,
  last_baseline_value: reading.baseline_value,
  next_check_at: t.Timestamp('When the next period is checked.'),
  problem: t.Nullable(
    t.Enum(
      ALERT_PROBLEMS,
      `Why the last check failed; null: it did not. \`too_slow\`: reading the number took more than ${MAX_CHECK_SECONDS} seconds. A failed check is repeated later.`,
    ),
  ),
});
export type Alert = Static<typeof Alert>;

const settingsExample = {
  name: 'Players stay away',
  environment: 'production' as const,
  metric: 'active_players' as const,
  comparison: 'falls' as const,
  threshold: 20,
  baseline: 'usual' as const,
};
const example = {
  id: '7c0a0a3e-3f55-4a2f-8a80-2f4f5b8d1e10',
  ...settingsExample,
  metric_key: null,
  defined_metric: null,
  event_name: null,
  period: 'day' as const,
  cool_down_hours: 24,
  muted: false,
  account_ids: ['5f0c3a52-0f7e-4f0e-9d7b-2f4b8c1f6a11'],
  webhook_ids: ['c1f8a5d0-2b7e-4f64-9a3e-5d1f0b7c8e21'],
  disabled_webhook_ids: [],
  created_at: '2026-03-01T09:05:00.000Z',
  state: 'firing' as const,
  state_since: '2026-03-15T00:15:02.000Z',
  last_period: '2026-03-14T00:00:00.000Z',
  last_value: 1_204,
  last_baseline_value: 1_530,
  next_check_at: '2026-03-16T00:15:00.000Z',
  problem: null,
};

const Reading = t.Object({
  period_started_at: t.Timestamp('When the last finished period began.'),
  ...reading,
  is_met: t.Nullable(t.Boolean('Whether the rule holds for it; null: there is too little data.')),
});
const readingExample = {
  period_started_at: '2026-03-14T00:00:00.000Z',
  value: 1_204,
  baseline_value: 1_530,
  is_met: true,
};

const wrongSettings = errorAnswer(
  'A field is missing or invalid, or does not go with the others; `error` names it.',
  'period must be day for active_players',
);

export const listAlerts = operation('GET /v1/games/{game_id}/alerts', {
  access: 'viewer',
  summary: 'List the alerts of an environment',
  description: 'The oldest first, with their states.',
  query: t.Object({ ...EnvironmentQuery.properties, ...PageQuery.properties }),
  answers: { 200: pageAnswer('A page of alerts.', 'alerts', Alert, example) },
});

export const createAlert = operation('POST /v1/games/{game_id}/alerts', {
  access: 'developer',
  summary: 'Make an alert',
  description:
    'Each finished day is checked 15 minutes after its end, each finished hour after 5 minutes. The alert tells its members and webhooks when its rule begins to hold, and when it no longer does.',
  body: AlertSettings,
  example: settingsExample,
  answers: {
    201: answer('The alert watches from now on.', Alert, {
      ...example,
      state: 'unknown',
      last_period: null,
      last_value: null,
      last_baseline_value: null,
    }),
    400: wrongSettings,
    403: limitReached(
      'The role does not allow it, or the game has reached its limit of alerts.',
      'alerts',
    ),
  },
});

export const putAlert = operation('PUT /v1/games/{game_id}/alerts/{alert_id}', {
  access: 'developer',
  summary: 'Change an alert',
  description:
    'Replaces all settings. A change of the rule begins anew: the state is `unknown` until the next check. Recipients of the alert who have left the game are dropped; other unknown ones are refused.',
  body: AlertSettings,
  example: settingsExample,
  answers: {
    200: answer('The alert as it is now.', Alert, example),
    400: wrongSettings,
  },
});

export const deleteAlert = operation('DELETE /v1/games/{game_id}/alerts/{alert_id}', {
  access: 'developer',
  summary: 'Delete an alert',
  description: 'Its history is deleted too.',
  answers: { 204: { description: 'The alert is deleted.' } },
});

export const testAlert = operation('POST /v1/games/{game_id}/alerts/{alert_id}/test', {
  access: 'developer',
  summary: 'Send a test of an alert',
  description:
    'Takes no body. The members and the enabled webhooks of the alert get the last finished period, marked as a test. The state stays.',
  answers: {
    202: answer('The test is on its way.', Reading, readingExample),
    409: errorAnswer(
      'The alert was tested within the last minute.',
      'This alert was tested a moment ago: try again in a minute',
    ),
  },
});
