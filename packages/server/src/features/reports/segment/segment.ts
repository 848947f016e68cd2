import { writeCsvLine } from '@overworld/contract/csv';
import { sql } from '../../../platform/database/sql.ts';
import { playerColumns } from '../../../platform/players/player.ts';
import type { PlayerRow } from '../../../platform/players/player.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import { readPacked, SEED } from '../scan/packet.ts';
import type { SegmentConditions } from '../players/player-choice.ts';
import { findMembers } from './members.ts';
import type { PlayerSet } from '../players/player-set.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';

export interface SegmentSelection extends EventSelection, SegmentConditions {}

export interface SegmentInput extends SegmentSelection {
  page: { limit: number; after: string | null; count: number | null };
}

export interface SegmentPage {
  count: number;
  /** Up to one player more than the limit. The extra player shows that there are more. */
  players: PlayerRow[];
}

/** The number of players whose hashes one statement reads. */
const HASH_PAGE_SIZE = 20_000;
/**
 * The maximum number of members that one statement reads: the first with their rows, which have at most 6.4
 * MB of properties together, the second with their ids only.
 */
const ROW_PAGE_SIZE = 100;
const ID_PAGE_SIZE = 1_000;

const SEGMENT_COLUMNS = [
  'player_id',
  'tags',
  'first_seen_at',
  'last_seen_at',
  'properties',
] as const;

/**
 * Reads a page of the players of a segment, ordered by id. The first page finds
 * and counts the players; later pages list the same players for some minutes.
 */
export async function findSegment(
  database: ExploreDatabase,
  input: SegmentInput,
  signal: AbortSignal,
): Promise<SegmentPage> {
  const { page, ...selection } = input;
  const { limit, after, count } = page;
  const question = JSON.stringify(selection);
  const known = after === null ? undefined : database.kept_sets.get(question);
  const set = known ?? (await findMembers(database, input, input, signal));
  database.kept_sets.keep(question, set);
  const players: PlayerRow[] = [];
  for await (const members of readMembers(database, input, set, after ?? '', signal)) {
    players.push(...members);
    if (players.length > limit) break;
  }
  return { count: count ?? set.size, players: players.slice(0, limit + 1) };
}

/** Writes all players of a segment as CSV. Reads a hundred players at a time. */
export async function* writeSegment(
  database: ExploreDatabase,
  input: SegmentInput,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const set = await findMembers(database, input, input, signal);
  yield encoder.encode(writeCsvLine(SEGMENT_COLUMNS));
  for await (const players of readMembers(database, input, set, '', signal)) {
    const lines = players.map(({ player_id, tags, first_seen_at, last_seen_at, properties }) =>
      writeCsvLine([player_id, JSON.stringify(tags), first_seen_at, last_seen_at, properties]),
    );
    yield encoder.encode(lines.join(''));
  }
}

/** Writes the number of players of a segment, and then lines with up to a thousand of their ids each. */
export async function* writeSegmentIds(
  database: ExploreDatabase,
  input: SegmentSelection,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const set = await findMembers(database, input, input, signal);
  yield encoder.encode(`${set.size}\n`);
  const ids_alone = { columns: sql`player_id`, size: ID_PAGE_SIZE };
  for await (const page of readMembers<Id>(database, input, set, '', signal, ids_alone)) {
    const ids = page.map(({ player_id }) => player_id);
    yield encoder.encode(`${JSON.stringify(ids)}\n`);
  }
}

type Id = Pick<PlayerRow, 'player_id'>;

/** Reads the members after an id, in the order of ids. */
async function* readMembers<Row extends Id = PlayerRow>(
  database: ExploreDatabase,
  input: SegmentSelection,
  set: PlayerSet,
  after: string,
  signal: AbortSignal,
  { columns, size } = { columns: playerColumns, size: ROW_PAGE_SIZE },
): AsyncGenerator<Row[]> {
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
    for (let from = 0; from < members.length; from += size) {
      const wanted = members.slice(from, from + size);
      // The statement starts after the rows that were read before, and stops after the last wanted row. So no
      // row is read twice.
      const rows = await database.query<Row>(
        sql`
          SELECT ${columns} FROM players
          WHERE ${isOfTenant} AND player_id > ${after}::text AND player_id <= ${page!.last}::text
            AND ${hash} = ANY(${wanted}::bigint[])
          ORDER BY player_id
          LIMIT ${wanted.length}`,
        signal,
      );
      yield rows;
      after = rows.at(-1)?.player_id ?? after;
    }
    if (page!.count < HASH_PAGE_SIZE) return;
    after = page!.last;
  }
}

/** Lists those of the hashes in `view` whose players are in the set, as texts. */
function listMembers(view: DataView, set: PlayerSet): string[] {
  const members: string[] = [];
  for (let at = 0; at < view.byteLength; at += 8) {
    if (set.valueOf(view.getUint32(at), view.getUint32(at + 4)) === -1) continue;
    members.push(view.getBigInt64(at).toString());
  }
  return members;
}
