import { writeCsvLine } from '@overworld/contract/csv';
import { sql } from '../../../platform/database/sql.ts';
import { playerColumns } from '../../../platform/players/player.ts';
import type { PlayerRow } from '../../../platform/players/player.ts';
import { SEED } from '../scan/event-scan.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import { readPacked } from '../scan/packet.ts';
import type { SegmentConditions } from '../scan/player-choice.ts';
import { findPlayers } from '../scan/player-set.ts';
import type { PlayerSet } from '../scan/player-set.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';

export interface SegmentInput extends EventSelection, SegmentConditions {
  page: { limit: number; after: string | null; count: number | null };
}

export interface SegmentPage {
  count: number;
  /** At most one player more than the limit, which shows that there are more. */
  players: PlayerRow[];
}

/** Players whose hashes a statement reads, and members whose rows it reads. */
const HASH_PAGE_SIZE = 20_000;
const ROW_PAGE_SIZE = 1_000;

const SEGMENT_COLUMNS = [
  'player_id',
  'tags',
  'first_seen_at',
  'last_seen_at',
  'properties',
] as const;

/** A page of the players of a segment, ordered by id. The first page counts them. */
export async function findSegment(
  database: ExploreDatabase,
  input: SegmentInput,
  signal: AbortSignal,
): Promise<SegmentPage> {
  const { limit, after, count } = input.page;
  const set = await findMembers(database, input, signal);
  const players: PlayerRow[] = [];
  for await (const page of readMembers(database, input, set, after ?? '', signal)) {
    players.push(...page);
    if (players.length > limit) break;
  }
  return { count: count ?? set.size, players: players.slice(0, limit + 1) };
}

/** All players of a segment as CSV, read some thousand at a time. */
export async function* writeSegment(
  database: ExploreDatabase,
  input: SegmentInput,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const set = await findMembers(database, input, signal);
  yield encoder.encode(writeCsvLine(SEGMENT_COLUMNS));
  for await (const players of readMembers(database, input, set, '', signal)) {
    const lines = players.map(({ player_id, tags, first_seen_at, last_seen_at, properties }) =>
      writeCsvLine([player_id, JSON.stringify(tags), first_seen_at, last_seen_at, properties]),
    );
    yield encoder.encode(lines.join(''));
  }
}

/** The members, by the hashes of their ids. */
function findMembers(
  database: ExploreDatabase,
  input: SegmentInput,
  signal: AbortSignal,
): Promise<PlayerSet> {
  const { tags, filter, event_conditions, players, cell } = input;
  const segment = { tags, filter, event_conditions, players, cell };
  return findPlayers(
    database,
    input,
    { players: { ...EVERYBODY, segment }, split: null, split_limit: 1 },
    signal,
  );
}

const EVERYBODY = {
  tags: [],
  without_tags: [],
  filter: { filter: [], text: '[]', path: [] },
  values: [],
};

/** The members after an id, in the order of ids. */
async function* readMembers(
  database: ExploreDatabase,
  input: SegmentInput,
  set: PlayerSet,
  after: string,
  signal: AbortSignal,
): AsyncGenerator<PlayerRow[]> {
  const { game_id, environment } = input;
  const isOfTenant = sql`game_id = ${game_id}::uuid AND environment = ${environment}::environment`;
  const hash = sql`hashtextextended(player_id, ${SEED}::bigint)`;
  for (;;) {
    const [page] = await database.query<{ count: number; last: string | null; packed: string }>(
      sql`
        SELECT count(*) AS count, max(player_id) AS last,
               string_agg(int8send(${hash}), '' ORDER BY player_id)::text AS packed
        FROM (
          SELECT player_id FROM players WHERE ${isOfTenant} AND player_id > ${after}::text
          ORDER BY player_id LIMIT ${HASH_PAGE_SIZE}
        ) AS page`,
      signal,
    );
    if (page!.last === null) return;
    const members = listMembers(readPacked(page!.packed), set);
    for (let from = 0; from < members.length; from += ROW_PAGE_SIZE) {
      yield await database.query<PlayerRow>(
        sql`
          SELECT ${playerColumns} FROM players
          WHERE ${isOfTenant} AND player_id > ${after}::text AND player_id <= ${page!.last}::text
            AND ${hash} = ANY(${members.slice(from, from + ROW_PAGE_SIZE)}::bigint[])
          ORDER BY player_id`,
        signal,
      );
    }
    if (page!.count < HASH_PAGE_SIZE) return;
    after = page!.last;
  }
}

/** The hashes of players of a set, as texts. */
function listMembers(view: DataView, set: PlayerSet): string[] {
  const members: string[] = [];
  for (let at = 0; at < view.byteLength; at += 8) {
    if (set.valueOf(view.getUint32(at), view.getUint32(at + 4)) === -1) continue;
    members.push(view.getBigInt64(at).toString());
  }
  return members;
}
