import { wordsOf } from './failure.ts';
import { makeShared } from './shared-value.ts';

const problem = makeShared<string | null>(null);

/** Notes whether the last call reached the server. */
export const connection = {
  lost: (error: unknown) => problem.set(wordsOf(error)),
  found: () => problem.set(null),
};

/** The problem of the connection in words; null while there is none. */
export const useConnectionProblem = problem.use;
