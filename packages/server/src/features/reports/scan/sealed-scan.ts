import type { ExploreDatabase } from '../thread/explore-database.ts';
import type { Chunk } from './chunk-cutter.ts';
import type { SealedPart } from './event-columns.ts';
import type { EventSelection } from './event-selection.ts';
import { remember } from './remembered.ts';
import type { KnownSessions } from './remembered.ts';
import type { Scan, ScannedEvents } from './scan.ts';
import { createSealedReader, wantedColumns } from './sealed-columns.ts';

const DAY_MS = 86_400_000;
/** About so many events are decoded at once. Each takes 8 bytes a column. */
const BATCH_EVENTS = 300_000;

const dayOf = (time_ms: number) => new Date(time_ms).toISOString().slice(0, 10);

/**
 * Finds what a scan reads from sealed days, and the spans of time that it reads from rows.
 * @param range The times of receipt that the scan reads. All of them are read from rows if `reads_sealed` is false.
 */
export async function openSealedScan(
  database: ExploreDatabase,
  selection: EventSelection,
  scan: Scan,
  range: Chunk & { reads_sealed: boolean },
  signal: AbortSignal,
) {
  const { sealed } = database;
  const { names, hidden_names = [] } = scan;
  const days = { first_day: dayOf(range.from_ms), last_day: dayOf(range.to_ms - DAY_MS) };
  const found =
    !range.reads_sealed || days.first_day > days.last_day
      ? { days: [], parts: [] }
      : await sealed.list(database, selection, { ...days, names }, signal);
  const parts = found.parts.filter(({ event_name }) => !hidden_names.includes(event_name));
  const wanted = wantedColumns(scan);
  const hashes =
    parts.length === 0 ? new Int32Array() : await sealed.readPlayers(database, selection, signal);
  const read = createSealedReader(scan, selection, hashes);
  const { sessions: numbered } = scan.columns;

  /** @returns null if the day is read from rows after all. */
  const sessionsOf = async (
    { day, version }: SealedPart,
    known: KnownSessions,
    stopped: AbortSignal,
  ) => {
    const name = `${day} ${version}`;
    const kept = known.get(name);
    if (kept !== undefined) return kept;
    const of_day = await sealed.readSessions(database, selection, day, hashes, stopped);
    if (of_day === null) return null;
    const sessions = remember(of_day);
    known.keep(name, sessions);
    return sessions;
  };

  return {
    batches: makeBatches(parts, wanted.sessions === true),
    spans: findUnsealed(range, new Set(found.days)),
    /**
     * Reads a batch.
     * @returns the days and names that are read from rows after all, because they have just changed.
     */
    async readBatch(
      batch: readonly SealedPart[],
      take: (events: ScannedEvents) => void,
      stopped: AbortSignal,
    ): Promise<Stale[]> {
      const sessions = numbered ? await sessionsOf(batch[0]!, numbered.known, stopped) : null;
      const stale =
        wanted.sessions && sessions === null
          ? batch
          : await sealed.read(
              database,
              selection,
              batch,
              wanted,
              (columns) => take(read(columns, sessions)),
              stopped,
            );
      const by_day = Map.groupBy(stale, ({ day }) => day);
      return [...by_day].map(([day, of_day]) => ({
        names: [...new Set(of_day.map(({ event_name }) => event_name))],
        chunk: spanOf(day),
      }));
    },
  };
}

/** Events that are read from rows, though they were sealed when the scan began. */
export interface Stale {
  names: string[];
  chunk: Chunk;
}

function spanOf(day: string): Chunk {
  const from_ms = Date.parse(day);
  return { from_ms, to_ms: from_ms + DAY_MS };
}

/**
 * Divides parts into batches that are read at once. The parts of a name and day stay together.
 * @param by_day Makes batches of one day each, so that only the sessions of one day are in memory.
 */
function makeBatches(parts: readonly SealedPart[], by_day: boolean): SealedPart[][] {
  const batches: SealedPart[][] = [];
  let count = BATCH_EVENTS;
  const same = Map.groupBy(parts, ({ day, event_name }) => JSON.stringify([day, event_name]));
  for (const together of same.values()) {
    const is_next_day = by_day && batches.at(-1)?.[0]?.day !== together[0]!.day;
    if (count >= BATCH_EVENTS || is_next_day) {
      batches.push([]);
      count = 0;
    }
    batches.at(-1)!.push(...together);
    for (const part of together) count += part.count;
  }
  return batches;
}

/** Returns the spans of a range that are on no sealed day. */
function findUnsealed({ from_ms, to_ms }: Chunk, days: ReadonlySet<string>): Chunk[] {
  const spans: Chunk[] = [];
  let from = from_ms;
  while (from < to_ms) {
    const to = Math.min(to_ms, spanOf(dayOf(from)).to_ms);
    const last = spans.at(-1);
    if (days.has(dayOf(from))) {
      from = to;
      continue;
    }
    if (last?.to_ms === from) last.to_ms = to;
    else spans.push({ from_ms: from, to_ms: to });
    from = to;
  }
  return spans;
}
