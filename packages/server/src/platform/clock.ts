/** Tells the time; tests pass one of their own. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
