/** The name of the board that starts empty each night at midnight. */
export const DAILY_BOARD = 'moonward-daily';
export const ALL_TIME_BOARD = 'moonward-all-time';
