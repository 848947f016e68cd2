import type { TObject } from 'typebox';
import { EnvironmentName } from '../common.ts';
import { exampleMessage, exampleRewards, Rewards } from '../messages/message-fields.ts';
import { t } from '../schema.ts';
import { SERVICE_EVENT_LABELS } from './event-labels.ts';

/** An event of the service: its name for people, and the `data` of its messages. */
interface ServiceEvent {
  label: string;
  description: string;
  data: TObject;
  example: object;
}

const GameIdMember = t.Uuid('Id of the game.');
const game_id = '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42';
const tenant = { game_id: GameIdMember, environment: EnvironmentName };

/** Percentages of the monthly quota that are announced. */
export const QUOTA_STEPS = [80, 100] as const;
/** For an hour with fewer saves than this, no conflict rate is announced. */
export const LEAST_SAVES = 100;
/**
 * The conflict rate of an hour is announced when more than this percentage of its saves were in conflict.
 */
export const HIGH_CONFLICT_PERCENT = 5;

/** The events of the service that webhooks can get, with the `data` of each message. */
export const SERVICE_EVENTS = {
  'achievement.unlocked': {
    label: SERVICE_EVENT_LABELS['achievement.unlocked'],
    description:
      'A player has unlocked an achievement, or a member has granted it. Sent once for each player and achievement.',
    data: t.Object({
      ...tenant,
      player_id: t.Name('Id of the player.'),
      achievement: t.Object({
        key: t.String('Key of the achievement.'),
        name: t.String('Its name.'),
        points: t.Integer('Its points.'),
      }),
      unlocked_at: t.Timestamp('When it was unlocked.'),
    }),
    example: {
      game_id,
      environment: 'production',
      player_id: 'player-42',
      achievement: { key: 'first_boss', name: 'Giant Slayer', points: 50 },
      unlocked_at: '2026-03-01T18:24:05.120Z',
    },
  },
  'message.claimed': {
    label: SERVICE_EVENT_LABELS['message.claimed'],
    description:
      'A player has claimed the rewards of a message. Sent once for each player and message. Servers that keep the items of players give them by it.',
    data: t.Object({
      ...tenant,
      player_id: t.Name('Id of the player.'),
      message_id: t.Uuid('Id of the message.'),
      rewards: Rewards,
      claimed_at: t.Timestamp('When it was claimed.'),
    }),
    example: {
      game_id,
      environment: 'production',
      player_id: 'player-42',
      message_id: exampleMessage.id,
      rewards: exampleRewards,
      claimed_at: '2026-03-01T18:24:05.120Z',
    },
  },
  'leaderboard.season_ended': {
    label: SERVICE_EVENT_LABELS['leaderboard.season_ended'],
    description:
      'A season of a board has ended, by its schedule or by a reset. Its entries can be read with `season`.',
    data: t.Object({
      ...tenant,
      board_name: t.String('Name of the board.'),
      season: t.Integer('Number of the season that has ended.'),
      total_entries: t.Integer('Its number of entries.'),
      started_at: t.Timestamp('When it began.'),
      ended_at: t.Timestamp('When it ended.'),
    }),
    example: {
      game_id,
      environment: 'production',
      board_name: 'Weekly sprint',
      season: 12,
      total_entries: 4_120,
      started_at: '2026-02-22T23:00:00.000Z',
      ended_at: '2026-03-01T23:00:00.000Z',
    },
  },
  'quota.reached': {
    label: SERVICE_EVENT_LABELS['quota.reached'],
    description:
      'The events of this month have reached 80 or 100% of the quota. Sent once a month for each, and for both environments together.',
    data: t.Object({
      game_id: GameIdMember,
      month: t.String('Calendar month in UTC, as `YYYY-MM`.'),
      percent: t.Integer('80 or 100.'),
      used: t.Integer('Events of this month.'),
      quota: t.Integer('Events that a month may have.'),
    }),
    example: { game_id, month: '2026-03', percent: 80, used: 80_214, quota: 100_000 },
  },
  'player.erased': {
    label: SERVICE_EVENT_LABELS['player.erased'],
    description:
      'A member, the studio’s own server or the player itself has erased a player. Erase the data that other systems of the studio keep of the player.',
    data: t.Object({
      ...tenant,
      player_id: t.Name('Id that the player had.'),
      erased_at: t.Timestamp('When the player was erased.'),
    }),
    example: {
      game_id,
      environment: 'production',
      player_id: 'player-42',
      erased_at: '2026-03-01T18:24:05.120Z',
    },
  },
  'saves.conflict_rate_high': {
    label: SERVICE_EVENT_LABELS['saves.conflict_rate_high'],
    description: `In an hour with at least ${LEAST_SAVES} saves, more than ${HIGH_CONFLICT_PERCENT}% were refused with 409, because they expected another version.`,
    data: t.Object({
      ...tenant,
      hour: t.Timestamp('When the hour began.'),
      saves: t.Integer('Saves that were sent in it, with those in conflict.'),
      conflicts: t.Integer('Saves that were in conflict.'),
      percent: t.Number('Share of those in conflict, 0 to 100.'),
    }),
    example: {
      game_id,
      environment: 'production',
      hour: '2026-03-01T18:00:00.000Z',
      saves: 2_400,
      conflicts: 192,
      percent: 8,
    },
  },
} as const satisfies Record<string, ServiceEvent>;

const alertData = t.Object({
  ...tenant,
  alert_id: t.Uuid('Id of the alert.'),
  alert_name: t.String('Its name.'),
  rule: t.String('Its rule in words.'),
  reading: t.String('The period that was checked, in words.'),
  metric: t.String('The number that it watches, such as `active_players`.'),
  metric_key: t.Nullable(t.String('The key of the metric of the game, if `metric` is `metric`.')),
  period: t.String('`day` or `hour`.'),
  period_started_at: t.Timestamp('When the checked period began.'),
  value: t.Nullable(t.Number('Value of the period.')),
  baseline_value: t.Nullable(t.Number('Value that it was compared with.')),
  test: t.Boolean('Whether a member has sent it to try the alert.'),
});
const alertExample = {
  game_id,
  environment: 'production',
  alert_id: '7c0a0a3e-3f55-4a2f-8a80-2f4f5b8d1e10',
  alert_name: 'Players stay away',
  rule: 'Active players of a day: down by 20% or more against the usual of this weekday',
  reading: 'It was 1,204, −21.3% against the usual of this weekday, 1,530.',
  metric: 'active_players',
  metric_key: null,
  period: 'day',
  period_started_at: '2026-03-14T00:00:00.000Z',
  value: 1_204,
  baseline_value: 1_530,
  test: false,
};

/**
 * Messages of alerts. A webhook gets the messages of all alerts that
 * name the webhook, even if it does not listen to these events.
 */
export const ALERT_EVENTS = {
  'alert.fired': {
    label: 'Alert fired',
    description: 'The rule of an alert began to hold.',
    data: alertData,
    example: alertExample,
  },
  'alert.resolved': {
    label: 'Alert resolved',
    description: 'The rule of an alert that had fired does not hold any more.',
    data: alertData,
    example: { ...alertExample, reading: 'It was 1,498, −2.1% against …', value: 1_498 },
  },
} as const satisfies Record<string, ServiceEvent>;
export type AlertEventType = keyof typeof ALERT_EVENTS;

/** The name of an event of the service, such as `achievement.unlocked`. */
export type ServiceEventType = keyof typeof SERVICE_EVENTS;
export const SERVICE_EVENT_TYPES = Object.keys(SERVICE_EVENTS) as ServiceEventType[];

/** The headers of each message, as Standard Webhooks states. */
export const SIGNATURE_HEADERS = t.Object({
  'webhook-id': t.String('Id of the message, the same in each attempt.'),
  'webhook-timestamp': t.String('When this attempt was made, in seconds since 1970.'),
  'webhook-signature': t.String(
    'One or more of `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, separated by spaces.',
  ),
});

/**
 * The event of a message that a member sends to try a
 * webhook out. Any webhook gets it, whatever it listens to.
 */
export const TEST_EVENT = 'webhook.test';
