/** Limits of the rules of boards. This file has no imports, so that the web app can use it without schemas. */

/**
 * The longest time between submits that a rule may require: every ledger is kept for at least that long.
 */
export const MAX_INTERVAL_MS = 86_400_000;
export const MAX_LEDGER_DAYS = 365;
export const MAX_REQUIRED_METADATA = 20;
