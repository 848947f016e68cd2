import { useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import { call, callWatched } from './client.ts';
import type { Answer, Input, PagedRoute, ReadRoute, Route } from './operations.ts';

export interface ReadOptions {
  enabled?: boolean;
  /** Milliseconds between reads while the page is in the foreground. */
  every?: number | false;
  /** Shows the last answer until the answer for the new input has arrived. */
  keep?: boolean;
  /**
   * Set for reports for which the server needs several seconds. Such a report is loaded again only when
   * the reader asks. A 503 means that the server has stopped the report. Then the page shows the message
   * instead of the report.
   */
  slow?: boolean;
  /** Asks the server for the progress of the report while the server makes it. */
  watched?: boolean;
  /** Set for lists whose answers have no total. */
  uncounted?: boolean;
}

const SLOW = {
  meta: { slow: true },
  staleTime: 300_000,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

/** Reads an operation's answer and keeps it fresh. */
export function useRead<R extends ReadRoute>(
  route: R,
  input: Input<R>,
  { enabled = true, every = false, keep = false, slow = false, watched = false }: ReadOptions = {},
) {
  return useQuery({
    ...readQuery(route, input),
    ...(watched && {
      queryFn: ({ signal }: { signal: AbortSignal }) => callWatched(route, input, signal),
    }),
    ...(slow && SLOW),
    enabled,
    refetchInterval: every,
    placeholderData: (last: Answer<R> | undefined, lastQuery) =>
      keep && isSameTenant(lastQuery?.queryKey[1], input) ? last : undefined,
  });
}

/** Tells whether two inputs name the same environment of the same game. */
function isSameTenant(a: unknown, b: unknown): boolean {
  const tenantOf = (input: unknown) => {
    const { params, query } = (input ?? {}) as {
      params?: { game_id?: string };
      query?: { environment?: string };
    };
    return `${params?.game_id} ${query?.environment}`;
  };
  return tenantOf(a) === tenantOf(b);
}

/**
 * The query options that load an answer. Used by loaders, and by components that suspend until the answer
 * has arrived.
 */
export function readQuery<R extends ReadRoute>(route: R, input: Input<R>) {
  return {
    queryKey: [route, input] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => call(route, input, signal),
  };
}

/** Works like `useRead`, but suspends the component until the answer has arrived. */
export function useRequired<R extends ReadRoute>(route: R, input: Input<R>): Answer<R> {
  return useSuspenseQuery(readQuery(route, input)).data;
}

/** The first page is small, so that it arrives soon. It also has the total number of entries. */
const FIRST_PAGE = { with_total: true };
/** Readers who load more want many rows, so all further pages have as many rows as the API allows. */
const NEXT_PAGE = { limit: 200 };

/** Reads a list page by page; `pages` grows with each `fetchNextPage()`. */
export function usePages<R extends PagedRoute>(
  route: R,
  input: Input<R>,
  options: ReadOptions = {},
) {
  const {
    enabled = true,
    every = false,
    slow = false,
    watched = false,
    uncounted = false,
  } = options;
  return useInfiniteQuery({
    queryKey: [route, 'pages', input],
    ...(slow && SLOW),
    enabled,
    refetchInterval: every,
    placeholderData: (last: InfiniteData<Answer<R>> | undefined, lastQuery) =>
      isSameTenant(lastQuery?.queryKey[2], input) ? last : undefined,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) => {
      const { query } = input as { query?: object };
      const choice = uncounted ? {} : pageParam === undefined ? FIRST_PAGE : NEXT_PAGE;
      const page = { ...(input as object), query: { ...choice, ...query, cursor: pageParam } };
      return (watched ? callWatched : call)(route, page as Input<R>, signal);
    },
    getNextPageParam: (page) =>
      (page as unknown as { next_cursor: string | null }).next_cursor ?? undefined,
  });
}

/**
 * Makes a change: `mutate(input)` calls the operation. After a success, the views are loaded again.
 * @param options `leaves`: the reader leaves the page after the change, so the page's views are not
 * loaded again. `watched`: the server reports the progress of the change.
 */
export function useChange<R extends Route>(route: R, { leaves = false, watched = false } = {}) {
  return useMutation({
    mutationKey: [route],
    mutationFn: (input: Input<R>) => (watched ? callWatched : call)(route, input),
    meta: { leaves },
  });
}

/** Tells whether the installation sends mail. Returns true until the answer is known. */
export const useSendsMail = (): boolean =>
  useRead('GET /v1/auth/options', {}).data?.sends_mail !== false;
