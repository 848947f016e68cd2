import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { connection } from './connection.ts';
import { Failure } from './failure.ts';
import { session } from './session.ts';

/** Event of the window: the account must set up a second factor before anything else. */
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

/** The server also answers 503 when it stops a report that reads for too long, so it is reachable. */
const isUnavailable = (error: unknown) => error instanceof Failure && error.status === 503;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { meta }) => note(error, meta?.slow === true && isUnavailable(error)),
    onSuccess: connection.found,
  }),
  mutationCache: new MutationCache({
    onError: (error) => note(error),
    // A change may show in any view. The views on the screen are read again, except those that take
    // seconds. The change is pending until they are read, so that values shown in advance do not
    // flicker.
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
