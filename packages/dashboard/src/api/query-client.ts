import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { connection } from './connection.ts';
import { Failure } from './failure.ts';
import { session } from './session.ts';

/** The name of an event of `window`. It tells that the account must first set up a second factor. */
export const SETUP_REQUIRED = 'overworld:setup-required';

export const isSetupRequired = (error: unknown) =>
  error instanceof Failure && error.code === 'SECOND_FACTOR_SETUP_REQUIRED';

function note(error: unknown, isStopped = false): void {
  if (!(error instanceof Failure)) return;
  if (error.isOutage && !isStopped) connection.lost(error);
  const { token } = error;
  if (error.status === 401 && token !== null && token === session.token) session.end();
  if (isSetupRequired(error)) dispatchEvent(new Event(SETUP_REQUIRED));
}

/**
 * Tells whether the answer was a 503. It does not always mean that the server cannot be reached: a server
 * that stops a slow report also answers 503.
 */
const isUnavailable = (error: unknown) => error instanceof Failure && error.status === 503;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { meta }) => note(error, meta?.slow === true && isUnavailable(error)),
    onSuccess: connection.found,
  }),
  mutationCache: new MutationCache({
    onError: (error) => note(error),
    // A change may affect the data of any view. The views on the screen are loaded again, except slow
    // reports. Until the views are loaded, the change counts as pending, so values that the page shows before
    // the server confirms them do not flicker.
    onSuccess: (_answer, _input, _context, { meta }) => {
      connection.found();
      return queryClient.invalidateQueries({
        refetchType: meta?.leaves ? 'none' : 'active',
        predicate: (query) => query.meta?.slow !== true,
      });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => error instanceof Failure && error.isOutage && failures < 2,
      retryDelay: (attempt) => 400 * 2 ** attempt,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
