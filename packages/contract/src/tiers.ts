const GB = 1024 ** 3;

/**
 * The billing tiers. Each has a monthly number of events and storage limits, which both environments of a
 * game share. An administrator of the installation can set other limits for one game.
 */
export const TIERS = {
  free: {
    event_quota: 100_000,
    limits: {
      save_bytes: GB,
      players: 100_000,
      leaderboard_entries: 1_000_000,
      ledger_rows: 1_000_000,
      leaderboards: 100,
      achievements: 500,
      stats: 200,
      event_schemas: 500,
      members: 25,
      daily_invitations: 50,
      alerts: 20,
      webhooks: 5,
      webhook_deliveries: 10_000,
      messages: 10_000,
    },
  },
  indie: {
    event_quota: 1_000_000,
    limits: {
      save_bytes: 10 * GB,
      players: 1_000_000,
      leaderboard_entries: 10_000_000,
      ledger_rows: 10_000_000,
      leaderboards: 1_000,
      achievements: 1_000,
      stats: 500,
      event_schemas: 1_000,
      members: 100,
      daily_invitations: 200,
      alerts: 100,
      webhooks: 20,
      webhook_deliveries: 50_000,
      messages: 50_000,
    },
  },
  studio: {
    event_quota: 10_000_000,
    limits: {
      save_bytes: 1_024 * GB,
      players: 100_000_000,
      leaderboard_entries: 1_000_000_000,
      ledger_rows: 1_000_000_000,
      leaderboards: 10_000,
      achievements: 1_000,
      stats: 500,
      event_schemas: 1_000,
      members: 1_000,
      daily_invitations: 1_000,
      alerts: 500,
      webhooks: 50,
      webhook_deliveries: 200_000,
      messages: 200_000,
    },
  },
} as const;

export type Tier = keyof typeof TIERS;
export const TIER_NAMES = Object.keys(TIERS) as Tier[];

/** Things of which a game may have only a limited number or size. */
export type LimitedResource = keyof (typeof TIERS)['free']['limits'];
export const LIMITED_RESOURCES = Object.keys(TIERS.free.limits) as LimitedResource[];
/**
 * Resources that the server refuses to store beyond the limit. Of all other resources, it deletes the
 * oldest rows instead.
 */
export type RefusedResource = Exclude<LimitedResource, 'ledger_rows' | 'webhook_deliveries'>;

/**
 * The number of games on the Free tier that an account may own, unless an administrator sets another
 * number.
 */
export const MAX_FREE_GAMES = 10;

/** Modes of event schema validation; a new game has `off`. */
export const EVENT_VALIDATION_MODES = ['off', 'warn', 'reject'] as const;
export type EventValidation = (typeof EVENT_VALIDATION_MODES)[number];
