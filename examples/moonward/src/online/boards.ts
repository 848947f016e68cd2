/** Begins anew each night at midnight. */
export const DAILY_BOARD = 'moonward-daily';
export const ALL_TIME_BOARD = 'moonward-all-time';
