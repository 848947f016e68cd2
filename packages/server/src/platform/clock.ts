/** A function that tells the time. Tests pass a clock of their own. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
