/**
 * Reads at once if no read with this name is in flight. Otherwise waits for the next read with this name,
 * which all callers that wait for it share.
 */
type SharedRead<Result> = (name: string, read: () => Promise<Result>) => Promise<Result>;

/**
 * Shares reads among callers that read the same, which is told by the name of the read. While a read is in
 * flight, further callers with its name wait for one read that begins after it. So every caller gets a result
 * that was read after its call. If a read fails, all its callers get the error.
 */
export function createSharedReads<Result>(): SharedRead<Result> {
  const in_flight = new Map<string, Promise<Result>>();
  const next = new Map<string, Promise<Result>>();

  const begin = (name: string, read: () => Promise<Result>) => {
    const result = read().finally(() => in_flight.delete(name));
    in_flight.set(name, result);
    return result;
  };

  return (name, read) => {
    const earlier = in_flight.get(name);
    const waiting = next.get(name);
    if (waiting !== undefined) return waiting;
    if (earlier === undefined) return begin(name, read);
    const beginNext = () => {
      next.delete(name);
      return begin(name, read);
    };
    const later = earlier.then(beginNext, beginNext);
    next.set(name, later);
    return later;
  };
}
