/**
 * Limits of the reports of analytics. This file has no imports,
 * so that the dashboard can use it without loading the schemas.
 */

/** Longest date range of a report. */
export const MAX_REPORT_DAYS = 366;
/** Length of the date range, up to today, of a report without dates. */
export const DEFAULT_REPORT_DAYS = 30;
/** Longest date range of a report by the hour. */
export const MAX_HOURLY_REPORT_DAYS = 31;
/** The maximum number of event names that have their own counts in a report. */
export const MAX_REPORT_EVENT_NAMES = 200;
/** The maximum number of conditions on properties by which a report chooses the events of one name. */
export const MAX_EVENT_FILTERS = 10;
/** The least and the largest number of steps of a funnel. */
export const MIN_FUNNEL_STEPS = 2;
export const MAX_FUNNEL_STEPS = 8;
/** The time in which a player must go through all steps of a funnel. */
export const DEFAULT_FUNNEL_WINDOW_MINUTES = 7 * 24 * 60;
export const MAX_FUNNEL_WINDOW_MINUTES = 90 * 24 * 60;
/** The number of steps of a path, and the number of events that a report lists at each step. */
export const DEFAULT_PATH_STEPS = 3;
export const MAX_PATH_STEPS = 5;
export const DEFAULT_PATH_EVENTS = 5;
export const MAX_PATH_EVENTS = 10;
/** The maximum number of whole paths that a report lists. */
export const MAX_LISTED_PATHS = 20;
/** The maximum number of different event names in paths. All further names count as `other`. */
export const MAX_PATH_NAMES = 250;
/** The maximum number of event names that paths can leave out. */
export const MAX_HIDDEN_EVENTS = 20;
/** Longest time for which paths follow a player. */
export const MAX_PATH_HOURS = 168;
/** Paths within a session end after this time. */
export const SESSION_PATH_HOURS = 24;
/** The maximum number of conditions in a segment about the events of its players. */
export const MAX_EVENT_CONDITIONS = 5;
/** Longest JSON that selects the players of a report, in characters. */
export const MAX_PLAYERS_TEXT = 8_000;
/** Longest parameter that splits a report, in characters. */
export const MAX_SPLIT_TEXT = 300;
/** The maximum number of different values of a property that splits a report. */
export const MAX_SPLIT_VALUES = 50_000;
/** The maximum number of players whose tags one request changes. */
export const MAX_TAGGED_PLAYERS = 100_000;
/** The maximum number of steps of a progression, such as levels, that are told apart. */
export const MAX_PROGRESSION_STEPS = 2_000;
/** The number of steps on a page of a progression, and the largest one. */
export const DEFAULT_PROGRESSION_PAGE = 100;
export const MAX_PROGRESSION_PAGE = 500;
/** A player without an active day for this many days has left. */
export const LEFT_AFTER_DAYS = 7;
/** The maximum number of groups of a breakdown. */
export const MAX_BREAKDOWN_GROUPS = 500;
/** The days since the first one by which the revenue of players is added up. */
export const LTV_DAYS: readonly number[] = [0, 1, 3, 7, 14, 30, 60, 90];
/** The least number of payers for a forecast. */
export const FEW_PAYERS = 50;
