/** Charts and limits of dashboards. This file has no imports, so that the web app can use it without schemas. */

/**
 * The charts of each report that can be pinned. A report is named by the last part of its path, so
 * `results` is the report on an experiment.
 */
export const REPORT_CHARTS = {
  'active-players': ['daily', 'weekly', 'monthly', 'stickiness', 'new_players'],
  retention: ['curve', 'cohorts'],
  sessions: ['count', 'per_player', 'length', 'lengths'],
  events: ['counts'],
  'data-quality': ['warned', 'refused', 'wrong_clock', 'late', 'repeated'],
  funnel: ['steps'],
  breakdown: [
    'events',
    'players',
    'sum',
    'average',
    'minimum',
    'p25',
    'median',
    'p75',
    'p90',
    'p99',
    'maximum',
  ],
  revenue: ['revenue', 'arpdau', 'payers', 'arppu', 'paying_share', 'conversion'],
  path: ['paths'],
  results: ['difference'],
} as const satisfies Record<string, readonly string[]>;

export type PinnedReport = keyof typeof REPORT_CHARTS;
export const PINNED_REPORTS = Object.keys(REPORT_CHARTS) as [PinnedReport, ...PinnedReport[]];

/**
 * Reports without a range of days. They cover the whole time of what they report on, such as an experiment.
 */
export const UNDATED_REPORTS: readonly PinnedReport[] = ['results'];

/** The maximum number of dashboards of a game. */
export const MAX_DASHBOARDS = 50;
/**
 * The maximum number of cards of a dashboard. With more, reports on events would wait too long for their
 * turns.
 */
export const MAX_CARDS = 20;
export const CARD_WIDTHS = ['half', 'full'] as const;
export type CardWidth = (typeof CARD_WIDTHS)[number];
/** The number of days up to today that a card shows when its range is left out. */
export const DEFAULT_CARD_DAYS = 30;

/** The maximum number of links of a dashboard that work at the same time. */
export const MAX_DASHBOARD_LINKS = 20;
export const DEFAULT_LINK_DAYS = 30;
export const MAX_LINK_DAYS = 365;
