/** The most statistics that one restoration takes back. */
export const MAX_RESTORED_STATS = 10;

/** The ways to treat values that would leave the bounds of their statistic. */
export const OUT_OF_BOUNDS_CHOICES = ['skip', 'to_bound'] as const;
export type OutOfBoundsChoice = (typeof OUT_OF_BOUNDS_CHOICES)[number];
