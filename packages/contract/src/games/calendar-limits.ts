/** The maximum number of days of a calendar. */
export const MAX_CALENDAR_DAYS = 92;
/** The maximum number of entries of one kind in a calendar. */
export const MAX_CALENDAR_ENTRIES = 300;
