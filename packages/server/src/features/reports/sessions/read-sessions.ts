import { SESSION_LENGTH_BOUNDS_SECONDS } from '@overworld/contract/analytics/sessions';
import { sql } from '../../../platform/database/sql.ts';
import { createChunkCutter } from '../scan/chunk-cutter.ts';
import { createReaders } from '../scan/readers.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import { PackedField, read64, readPacked, SEED } from '../scan/packet.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';

/** A session from the database. `high` and `low` are the two halves of the hash of the player's id. */
interface ReadSession {
  high: number;
  low: number;
  /** When it began, in microseconds since 2000. */
  time: number;
  /** Days from 1970-01-01. */
  day: number;
  length_class: number;
  seconds: number;
}

const RECORD_BYTES = 28;

const classOf = (seconds: number) => {
  let length_class = 0;
  while (seconds >= (SESSION_LENGTH_BOUNDS_SECONDS[length_class] ?? Infinity)) length_class++;
  return length_class;
};

/**
 * Sets the number of sessions that the report's progress expects, unless it is already set.
 * The number includes all sessions of the first and the last day of the range.
 */
export async function expectSessions(
  database: ExploreDatabase,
  { game_id, environment, starts_at, ends_at }: EventSelection,
  signal: AbortSignal,
): Promise<void> {
  if (database.progress.expected('sessions') !== null) return;
  const [row] = await database.query<{ count: number }>(
    sql`
      SELECT COALESCE(sum(session_count), 0)::bigint AS count FROM daily_sessions
      WHERE game_id = ${game_id}::uuid AND environment = ${environment}::environment
        AND day BETWEEN (${starts_at}::timestamptz - interval '1 day')::date
                    AND ${ends_at}::timestamptz::date`,
    signal,
  );
  database.progress.expect('sessions', row!.count);
}

/**
 * Calls `onSession` for each session that has a player and began within the range. The sessions are read in
 * chunks of time, because sessions that began at about the same time are stored together.
 */
export async function readSessions(
  database: ExploreDatabase,
  input: EventSelection & { time_zone: string },
  signal: AbortSignal,
  onSession: (session: ReadSession) => void,
): Promise<void> {
  const { game_id, environment, starts_at, ends_at, time_zone } = input;
  await expectSessions(database, input, signal);
  const cutter = createChunkCutter(Date.parse(starts_at), Date.parse(ends_at));
  const readers = createReaders(signal);
  await readers.run(async () => {
    for (let chunk = cutter.next(); chunk !== null; chunk = cutter.next()) {
      const took_ms = await database.each<{ count: number; packed: string | null }>(
        sql`
        SELECT count(*) AS count,
               (string_agg(
                 ${PackedField.hash(sql`player_id`, SEED)}
                 || timestamptz_send(started_at)
                 || int4send((started_at AT TIME ZONE ${time_zone}::text)::date
                             - DATE '1970-01-01')
                 || int8send(floor(date_part('epoch', last_event_at - started_at))::bigint),
                 '') FILTER (WHERE player_id <> ''))::text AS packed
        FROM sessions
        WHERE game_id = ${game_id}::uuid AND environment = ${environment}::environment
          AND started_at > '-infinity'
          AND started_at >= ${new Date(chunk.from_ms).toISOString()}::timestamptz
          AND started_at < ${new Date(chunk.to_ms).toISOString()}::timestamptz`,
        ({ count, packed }) => {
          database.progress.add(count);
          if (packed !== null) visit(readPacked(packed), onSession);
        },
        readers.stopped,
      );
      cutter.note(chunk, took_ms);
    }
  });
}

function visit(view: DataView, onSession: (session: ReadSession) => void): void {
  for (let at = 0; at < view.byteLength; at += RECORD_BYTES) {
    const seconds = read64(view, at + 20);
    onSession({
      high: view.getUint32(at),
      low: view.getUint32(at + 4),
      time: read64(view, at + 8),
      day: view.getInt32(at + 16),
      length_class: classOf(seconds),
      seconds,
    });
  }
}
