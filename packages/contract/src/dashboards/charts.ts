import { PINNED_REPORTS, REPORTS } from '../analytics/reports.ts';
import type { PinnedReport } from '../analytics/reports.ts';

/** Charts and limits of dashboards, for the server and for the web app, which loads no schemas. */

export { PINNED_REPORTS };
export type { PinnedReport };

/** The charts of each report that can be pinned. */
export const REPORT_CHARTS = Object.fromEntries(
  PINNED_REPORTS.map((report) => [report, REPORTS[report].charts]),
) as { [R in PinnedReport]: (typeof REPORTS)[R]['charts'] };

/** Reports without a range of days. */
export const UNDATED_REPORTS: readonly PinnedReport[] = PINNED_REPORTS.filter(
  (report) => 'is_undated' in REPORTS[report],
);

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
