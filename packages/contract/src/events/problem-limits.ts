/** The number of days after its last event for which a kind of problem is kept, and each sample after it came. */
export const EVENT_PROBLEM_DAYS = 7;
/** The maximum number of kinds that are kept of each API key. */
export const MAX_PROBLEMS_OF_KEY = 50;
/** The maximum number of kinds that are listed. */
export const MAX_LISTED_PROBLEMS = 200;
/** The maximum number of UTF-16 units of a sample. */
export const MAX_SAMPLE_LENGTH = 2_000;
