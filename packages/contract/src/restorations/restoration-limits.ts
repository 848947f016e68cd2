/** The maximum number of restorations of one kind that an environment keeps. */
export const MAX_RESTORATIONS = 10;
/** Restorations are forgotten after so many days. */
export const RESTORATION_DAYS = 60;
/** The maximum number of items that an answer shows as examples. */
export const MAX_EXAMPLES = 20;

export const RESTORATION_STATES = [
  'counting',
  'ready',
  'running',
  'paused',
  'done',
  'undoing',
  'undone',
] as const;
export type RestorationState = (typeof RESTORATION_STATES)[number];
