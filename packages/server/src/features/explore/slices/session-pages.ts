import { SESSION_LENGTH_BOUNDS_SECONDS } from '@overworld/contract/analytics/sessions';
import { sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { SEED } from '../scan/event-scan.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import { PackedField, readPacked } from '../scan/packet.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';

/** A session, with the halves of the hash of its player. */
interface ReadSession {
  high: number;
  low: number;
  /** Days from 1970-01-01. */
  day: number;
  length_class: number;
  seconds: number;
}

/** Rows that a statement reads. */
const PAGE_SIZE = 20_000;
const RECORD_BYTES = 20;

const classOf = (seconds: number) => {
  let length_class = 0;
  while (seconds >= (SESSION_LENGTH_BOUNDS_SECONDS[length_class] ?? Infinity)) length_class++;
  return length_class;
};

/** Announces a pass over all sessions of an environment. */
export async function expectSessions(
  database: ExploreDatabase,
  { game_id, environment }: Tenant,
  signal: AbortSignal,
): Promise<void> {
  if (database.progress.expected('sessions') !== null) return;
  const [row] = await database.query<{ count: number }>(
    sql`
      SELECT COALESCE(sum(session_count), 0)::bigint AS count FROM daily_sessions
      WHERE game_id = ${game_id}::uuid AND environment = ${environment}::environment`,
    signal,
  );
  database.progress.expect('sessions', row!.count);
}

/** Hands over the sessions of players that began within the range. */
export async function readSessions(
  database: ExploreDatabase,
  { game_id, environment, starts_at, ends_at, time_zone }: EventSelection & { time_zone: string },
  signal: AbortSignal,
  onSession: (session: ReadSession) => void,
): Promise<void> {
  await expectSessions(database, { game_id, environment }, signal);
  const tenant = sql`game_id = ${game_id}::uuid AND environment = ${environment}::environment`;
  let after = { player_id: '', session_id: '' };
  for (;;) {
    const [page] = await database.query<SessionPage>(
      sql`
        WITH page AS MATERIALIZED (
          SELECT player_id, session_id, started_at, last_event_at
          FROM sessions
          WHERE ${tenant} AND (player_id, session_id) > (${after.player_id}::text, ${after.session_id}::text)
          ORDER BY player_id, session_id
          LIMIT ${PAGE_SIZE}
        ), ending AS (
          SELECT player_id, session_id FROM page ORDER BY player_id DESC, session_id DESC LIMIT 1
        )
        SELECT (SELECT count(*) FROM page) AS count, ending.player_id, ending.session_id, packed
        FROM ending
        CROSS JOIN (
          SELECT string_agg(
                   ${PackedField.hash(sql`player_id`, SEED)}
                   || int4send((started_at AT TIME ZONE ${time_zone}::text)::date
                               - DATE '1970-01-01')
                   || int8send(floor(date_part('epoch', last_event_at - started_at))::bigint),
                   '')::text AS packed
          FROM page
          WHERE started_at >= ${starts_at}::timestamptz AND started_at < ${ends_at}::timestamptz
            AND player_id <> ''
        ) AS counted`,
      signal,
    );
    if (page === undefined) break;
    database.progress.add(page.count);
    if (page.packed !== null) visit(readPacked(page.packed), onSession);
    if (page.count < PAGE_SIZE) break;
    after = page;
  }
}

function visit(view: DataView, onSession: (session: ReadSession) => void): void {
  for (let at = 0; at < view.byteLength; at += RECORD_BYTES) {
    const seconds = view.getInt32(at + 12) * 2 ** 32 + view.getUint32(at + 16);
    onSession({
      high: view.getUint32(at),
      low: view.getUint32(at + 4),
      day: view.getInt32(at + 8),
      length_class: classOf(seconds),
      seconds,
    });
  }
}

interface SessionPage {
  count: number;
  player_id: string;
  session_id: string;
  packed: string | null;
}
