/** Requests of a batch that are decided together, in the order in which they came. */
export interface RequestGroup<Request> {
  name: string;
  requests: Request[];
  /** The place of each request in the batch. */
  places: number[];
}

/** The result of each request, in the order of the requests in the batch. */
export type BatchResults<Result> = (Result | Error)[];

/** Groups the requests for which `nameOf` returns the same text. Keeps the order of the first requests. */
export function groupRequests<Request>(
  requests: readonly Request[],
  nameOf: (request: Request) => string,
): RequestGroup<Request>[] {
  const groups = new Map<string, RequestGroup<Request>>();
  requests.forEach((request, place) => {
    const name = nameOf(request);
    const group = groups.get(name);
    if (group === undefined) {
      groups.set(name, { name, requests: [request], places: [place] });
    } else {
      group.requests.push(request);
      group.places.push(place);
    }
  });
  return [...groups.values()];
}

/**
 * Flushes a batch that takes several rounds, for example
 * because another server has changed the same data first.
 * @param work Does one round: fills in results, and returns the groups that need another round.
 * @returns a result for each of `count` requests. When a later round fails, the
 * requests without a result get the error of that round. The other requests of
 * the batch are already committed, so the batch has not failed as a whole.
 * @throws the error of a round that fails before any request has a result.
 */
export async function answerInRounds<Group, Result>(
  count: number,
  groups: Group[],
  work: (open: Group[], results: BatchResults<Result>, round: number) => Promise<Group[]>,
): Promise<BatchResults<Result>> {
  const results: BatchResults<Result> = [];
  try {
    let open = groups;
    for (let round = 0; open.length > 0; round++) open = await work(open, results, round);
  } catch (error) {
    if (results.length === 0) throw error;
    for (let place = 0; place < count; place++) {
      if (results[place] === undefined) results[place] = error as Error;
    }
  }
  return results;
}
