/** Billing tiers and their events a month, per game over both environments. */
export const TIERS = {
  free: { event_quota: 100_000 },
  indie: { event_quota: 1_000_000 },
  studio: { event_quota: 10_000_000 },
} as const;

export type Tier = keyof typeof TIERS;
export const TIER_NAMES = Object.keys(TIERS) as Tier[];

/** Modes of event schema validation; a new game has `off`. */
export const EVENT_VALIDATION_MODES = ['off', 'warn', 'reject'] as const;
export type EventValidation = (typeof EVENT_VALIDATION_MODES)[number];
