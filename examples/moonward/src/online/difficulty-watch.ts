import type { Overworld } from '@overworld/sdk';
import { readDifficulty } from '../world/weather.ts';
import type { Difficulty } from '../world/weather.ts';
import type { Connection } from './connection.ts';

/** An answer without a body while nothing has changed, 20 a minute. */
const POLL_INTERVAL_MS = 3_000;

/**
 * Loads the remote config repeatedly while the page is visible, and reports its difficulty. These calls
 * also show whether the server can be reached.
 */
export async function watchDifficulty(
  overworld: Overworld,
  connection: Connection,
  onDifficulty: (difficulty: Difficulty) => void,
): Promise<never> {
  for (;;) {
    if (!document.hidden) {
      const answer = await overworld.config.load({ maxAgeMs: 0 }).catch(() => null);
      connection.note(answer !== null && !answer.isStale);
      if (answer !== null) onDifficulty(readDifficulty(answer.config));
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}
