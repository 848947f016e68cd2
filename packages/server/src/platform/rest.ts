import { setTimeout as sleep } from 'node:timers/promises';

interface RestOptions {
  /** Milliseconds of rest for each millisecond of work. Default: 1. */
  times?: number;
  min_ms?: number;
  max_ms?: number;
}

/** Gives the length of the rest after some work, in milliseconds. */
export const restOf = (
  worked_ms: number,
  { times = 1, min_ms = 0, max_ms = Infinity }: RestOptions,
): number => Math.max(min_ms, Math.min(times * worked_ms, max_ms));

/**
 * Rests after a piece of background work, to leave locks and processors to the calls of games.
 * @param options.signal Ends the rest early, without an error.
 */
export async function restAfter(
  worked_ms: number,
  { signal, ...options }: RestOptions & { signal?: AbortSignal } = {},
): Promise<void> {
  await sleep(restOf(worked_ms, options), undefined, { signal }).catch(() => undefined);
}
