/** Returns the days that are over. Their numbers no longer rise, or rise only a little. */
export const finishedDays = <D>(days: readonly D[], isUnfinished: boolean): D[] =>
  isUnfinished ? days.slice(0, -1) : [...days];

export const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** Returns the average, or 0 for an empty list. */
export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : sum(values) / values.length;
