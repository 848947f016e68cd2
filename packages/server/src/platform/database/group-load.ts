import { classifyFailure } from './failure.ts';

/** Counts of the statements that this process has run for one group of games since it started. */
export interface GroupLoad {
  statements: number;
  seconds: number;
  /** Statements that failed because the group's node was down or overloaded. */
  failures: number;
}

export const startLoad = (): GroupLoad => ({ statements: 0, seconds: 0, failures: 0 });

export function countStatement(load: GroupLoad, duration_ms: number, error?: Error): void {
  load.statements += 1;
  load.seconds += duration_ms / 1_000;
  if (error && classifyFailure(error) === 'unavailable') load.failures += 1;
}
