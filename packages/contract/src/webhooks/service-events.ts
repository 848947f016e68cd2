import type { TObject } from 'typebox';
import { EnvironmentName } from '../common.ts';
import { t } from '../schema.ts';

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
/** An hour with fewer saves announces no conflict rate. */
export const LEAST_SAVES = 100;
/** The percentage of saves in conflict, past which an hour is announced. */
export const HIGH_CONFLICT_PERCENT = 5;

/** The events of the service that webhooks can get, with the `data` of each message. */
export const SERVICE_EVENTS = {
  'achievement.unlocked': {
    label: 'Achievement unlocked',
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
  'leaderboard.season_ended': {
    label: 'Board season ended',
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
    label: 'Quota at 80 and at 100 %',
    description:
      'The events of this month have reached 80 or 100 % of the quota. Sent once a month for each, and for both environments together.',
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
    label: 'Player erased',
    description:
      'A member has erased a player. Erase what other systems of the studio keep of the player.',
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
    label: 'Many conflicts of saves',
    description: `In an hour with at least ${LEAST_SAVES} saves, more than ${HIGH_CONFLICT_PERCENT} % were refused with 409, because they expected another version.`,
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

/** A message that a member sends to try a webhook out; every webhook gets it. */
export const TEST_EVENT = 'webhook.test';
