/** Limits of the reports of analytics, apart so that the dashboard can have them without schemas. */

/** Longest date range of a report. */
export const MAX_REPORT_DAYS = 366;
/** Length of the date range, up to today, of a report that is asked for without dates. */
export const DEFAULT_REPORT_DAYS = 30;
/** Longest date range of a report by the hour. */
export const MAX_HOURLY_REPORT_DAYS = 31;
/** Most event names that a report tells apart. */
export const MAX_REPORT_EVENT_NAMES = 200;
/** Most conditions on the properties of one kind of events. */
export const MAX_EVENT_FILTERS = 10;
/** Steps of a funnel. */
export const MIN_FUNNEL_STEPS = 2;
export const MAX_FUNNEL_STEPS = 8;
/** Most conditions on what the players of a segment did. */
export const MAX_EVENT_CONDITIONS = 5;
