import { badRequest } from '../../../platform/errors.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import type { Chunk } from './chunk-cutter.ts';
import { receiptRange } from './event-selection.ts';
import type { EventSelection } from './event-selection.ts';
import { expectEvents, partOf } from './expected-rows.ts';
import { createReaders } from './readers.ts';
import { createRowScan } from './row-scan.ts';
import type { Scan, ScannedEvents } from './scan.ts';
import { openSealedScan } from './sealed-scan.ts';

/** A report fails if more events than this match, because it holds them in memory, at 30 to 80 bytes each. */
const MAX_SCANNED_EVENTS = 20_000_000;
const DAY_MS = 86_400_000;
/** The seed of the sessions of an environment without any day that has been sealed. */
const NO_SEED = '0';

/**
 * Reads events of a game: those of sealed days from their columns, all others from rows.
 * @param max_events Infinite for a report that keeps no events in memory.
 * @throws ApiError 400 when there are too many events.
 */
export async function scanEvents(
  database: ExploreDatabase,
  selection: EventSelection,
  scans: readonly Scan[],
  signal: AbortSignal,
  max_events = MAX_SCANNED_EVENTS,
): Promise<void> {
  const { progress, sealed } = database;
  const readers = createReaders(signal);
  const started_ms = Date.now();
  let scanned = 0;

  for (const { names } of scans) await expectEvents(database, selection, names, signal);
  const { first_ms, last_ms } = receiptRange(selection);
  // The clock of PostgreSQL, which sets the receipt times, may be a little ahead of this one, but not by a
  // day.
  const end_ms = Math.max(first_ms + 1, Math.min(last_ms, started_ms + DAY_MS));
  const range = { from_ms: first_ms, to_ms: end_ms };
  const known_sessions = scans.find(({ columns }) => columns.sessions)?.columns.sessions!.known;
  let session_seed = NO_SEED;
  if (known_sessions !== undefined) {
    // All scans of a report have one seed, because they number the same sessions.
    session_seed = known_sessions.seed ??= await sealed.readSessionSeed(
      database,
      selection,
      signal,
    );
  }
  // The days that are sealed after that have another seed.
  const reads_sealed = known_sessions === undefined || session_seed !== NO_SEED;

  const openScan = async (scan: Scan) => {
    const columns = await openSealedScan(
      database,
      selection,
      scan,
      { ...range, reads_sealed },
      signal,
    );
    const onEvents = (events: ScannedEvents) => {
      scanned += events.count;
      if (scanned > max_events) readers.fail(tooMany());
      else scan.onEvents(events);
    };
    const expected = progress.expected(partOf(scan.names)) ?? 0;
    const onRead = ({ from_ms, to_ms }: Chunk) =>
      progress.add((expected * (to_ms - from_ms)) / (end_ms - first_ms));
    const rows = createRowScan(
      database,
      selection,
      { ...scan, session_seed },
      { spans: columns.spans, started_ms, onEvents, onRead, signal: readers.stopped },
    );
    return { columns, rows, onEvents };
  };
  const opened: Awaited<ReturnType<typeof openScan>>[] = [];
  for (const scan of scans) opened.push(await openScan(scan));

  const readAll = async () => {
    for (const { columns, rows, onEvents } of opened) {
      for (let batch = columns.batches.shift(); batch; batch = columns.batches.shift()) {
        const stale = await columns.readBatch(batch, onEvents, readers.stopped);
        for (const { names, chunk } of stale) await rows.readNames(names, chunk);
        progress.add(batch.reduce((sum, part) => sum + part.count, 0));
      }
      await rows.readAll();
    }
  };
  try {
    await readers.run(readAll);
  } finally {
    for (const { rows } of opened) rows.close();
  }
}

const tooMany = () =>
  badRequest(
    `More than ${MAX_SCANNED_EVENTS / 1_000_000} million events match: choose fewer days, rarer events or more conditions`,
  );
