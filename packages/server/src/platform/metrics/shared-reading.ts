/**
 * Lets gauges that are read at the same time share one reading.
 * @param kept_ms The time for which a finished reading is used again.
 */
export function shareReading<Reading>(
  read: () => Promise<Reading>,
  kept_ms = 0,
): () => Promise<Reading> {
  let reading: Promise<Reading> | undefined;
  const forget = () => {
    reading = undefined;
  };
  return () => {
    if (reading !== undefined) return reading;
    reading = read();
    reading.then(() => (kept_ms === 0 ? forget() : setTimeout(forget, kept_ms).unref()), forget);
    return reading;
  };
}
