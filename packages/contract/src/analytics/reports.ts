/**
 * The reports of a game, each under the last part of its path. The operations, the server, the cards of
 * dashboards and the pages take from here what a report can do. This file has no imports, so that the web app
 * can use it without schemas.
 */

interface Report {
  /** The route of its operation. */
  route: `GET /v1/games/{game_id}/${string}/${string}`;
  /**
   * `rollups`: counts that are ready, unless the report is about some players. `events`: the events or the
   * players themselves, which takes seconds.
   */
  reads: 'rollups' | 'events';
  /** It can be limited to some players (`players`), and split into groups of players (`split_by`). */
  takes_players?: true;
  /** It has no range of days. It covers the whole time of the thing that it is about, such as an experiment. */
  is_undated?: true;
  /** Its parameters take time to choose, so they can be saved under a name. */
  is_saved?: true;
  /** The charts that can be pinned to dashboards. */
  charts?: readonly [string, ...string[]];
  /**
   * Its numbers count players, so the dashboard can list these players. A number (`ReportCell`) has these
   * members, besides its days and the members that may be left out. `[]`: the days are enough.
   */
  cell?: readonly string[];
}

export const REPORTS = {
  'active-players': {
    route: 'GET /v1/games/{game_id}/analytics/active-players',
    reads: 'rollups',
    takes_players: true,
    charts: ['daily', 'weekly', 'monthly', 'stickiness', 'new_players'],
    cell: ['players'],
  },
  retention: {
    route: 'GET /v1/games/{game_id}/analytics/retention',
    reads: 'rollups',
    takes_players: true,
    charts: ['curve', 'cohorts'],
    cell: ['day', 'returned'],
  },
  sessions: {
    route: 'GET /v1/games/{game_id}/analytics/sessions',
    reads: 'rollups',
    takes_players: true,
    charts: ['count', 'per_player', 'length', 'lengths'],
    cell: [],
  },
  events: {
    route: 'GET /v1/games/{game_id}/analytics/events',
    reads: 'rollups',
    takes_players: true,
    charts: ['counts'],
    cell: ['event_name'],
  },
  'data-quality': {
    route: 'GET /v1/games/{game_id}/analytics/data-quality',
    reads: 'rollups',
    charts: ['warned', 'refused', 'wrong_clock', 'late', 'repeated'],
  },
  funnel: {
    route: 'GET /v1/games/{game_id}/analytics/funnel',
    reads: 'events',
    takes_players: true,
    is_saved: true,
    charts: ['steps'],
    cell: ['steps', 'window_minutes', 'step', 'outcome'],
  },
  breakdown: {
    route: 'GET /v1/games/{game_id}/analytics/breakdown',
    reads: 'events',
    takes_players: true,
    is_saved: true,
    charts: [
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
  },
  metric: {
    route: 'GET /v1/games/{game_id}/analytics/metric',
    reads: 'events',
    takes_players: true,
    charts: ['days'],
  },
  segment: {
    route: 'GET /v1/games/{game_id}/analytics/segment',
    reads: 'events',
    is_saved: true,
  },
  revenue: {
    route: 'GET /v1/games/{game_id}/analytics/revenue',
    reads: 'events',
    takes_players: true,
    charts: ['revenue', 'arpdau', 'payers', 'arppu', 'paying_share', 'conversion'],
    cell: [],
  },
  'lifetime-value': {
    route: 'GET /v1/games/{game_id}/analytics/lifetime-value',
    reads: 'events',
    takes_players: true,
    charts: ['value', 'cohorts'],
  },
  path: {
    route: 'GET /v1/games/{game_id}/analytics/path',
    reads: 'events',
    takes_players: true,
    is_saved: true,
    charts: ['paths'],
    cell: ['event_name', 'step', 'place'],
  },
  progression: {
    route: 'GET /v1/games/{game_id}/analytics/progression',
    reads: 'events',
    takes_players: true,
    is_saved: true,
    charts: ['left_share', 'fail_ratio', 'tries_per_completion', 'players'],
    cell: ['start_event', 'property', 'value', 'outcome'],
  },
  results: {
    route: 'GET /v1/games/{game_id}/experiments/{experiment_id}/results',
    reads: 'events',
    is_undated: true,
    charts: ['difference'],
  },
} as const satisfies Record<string, Report>;

type Reports = typeof REPORTS;
export type ReportName = keyof Reports;
/** The reports whose description has all members of `Part`. */
export type ReportWith<Part> = {
  [R in ReportName]: Reports[R] extends Part ? R : never;
}[ReportName];

export type PinnedReport = ReportWith<Pick<Required<Report>, 'charts'>>;
export type SavedReportKind = ReportWith<Pick<Required<Report>, 'is_saved'>>;
export type CellReport = ReportWith<Pick<Required<Report>, 'cell'>>;

const namesWith = <R extends ReportName>(member: keyof Report) =>
  Object.entries(REPORTS).flatMap(([name, report]) =>
    Object.hasOwn(report, member) ? [name] : [],
  ) as [R, ...R[]];

export const PINNED_REPORTS = namesWith<PinnedReport>('charts');
export const SAVED_REPORT_KINDS = namesWith<SavedReportKind>('is_saved');
export const CELL_REPORTS = namesWith<CellReport>('cell');

/** Tells whether a report is about a range of days. */
export const isDated = (report: ReportName): boolean => !('is_undated' in REPORTS[report]);
