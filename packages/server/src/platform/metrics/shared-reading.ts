/** Makes gauges that are read at the same time share one reading. */
export function shareReading<Reading>(read: () => Promise<Reading>): () => Promise<Reading> {
  let reading: Promise<Reading> | undefined;
  return () => (reading ??= read().finally(() => (reading = undefined)));
}
