/** The most conditions of the rule by which an achievement unlocks. */
export const MAX_UNLOCK_CONDITIONS = 5;
/** The greatest value of a statistic that a condition can ask for. */
export const MAX_AT_LEAST = Number.MAX_SAFE_INTEGER;
/** Days for which a grant to all who have earned an achievement can be undone. */
export const GRANT_UNDO_DAYS = 30;
