/** Limits of dashboards. This file has no imports, so that the web app can use it without schemas. */

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
