/**
 * Numbers players, sessions or names. The arguments are the two halves of a hash, as signed or unsigned integers.
 * -1 stands for one that the report does not count.
 */
export type Numbering = (high: number, low: number) => number;
