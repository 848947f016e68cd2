import { writeCsvLine } from '@overworld/contract/csv';
import { joinSql, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { playerColumns } from '../../../platform/players/player.ts';
import type { PlayerRow } from '../../../platform/players/player.ts';
import { inRange, matches, received } from '../scan/event-selection.ts';
import type { EventSelection } from '../scan/event-selection.ts';
import { isInSegment } from '../scan/player-choice.ts';
import type { SegmentConditions } from '../scan/player-choice.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';

export interface SegmentInput extends EventSelection, SegmentConditions {
  page: { limit: number; after: string | null; count: number | null };
}

export interface SegmentPage {
  count: number;
  /** At most one player more than the limit, which shows that there are more. */
  players: PlayerRow[];
}

/** Players of a file that are read at a time. */
const CSV_PAGE_SIZE = 1_000;

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
  const players = await database.query<PlayerRow & { total: number }>(
    sql`
      ${withEventConditions(input)}
      SELECT ${playerColumns}, ${count === null ? sql`count(*) OVER ()` : sql`0`} AS total
      FROM players
      WHERE ${isMember(input)} ${after === null ? sql`` : sql`AND player_id > ${after}::text`}
      ORDER BY player_id
      LIMIT ${limit + 1}`,
    signal,
  );
  return {
    count: count ?? players[0]?.total ?? 0,
    players: players.map(({ total: _total, ...player }) => player),
  };
}

/**
 * All players of a segment as CSV. One statement finds them; they are read a thousand at a time.
 */
export async function* writeSegment(
  database: ExploreDatabase,
  input: SegmentInput,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const ids: string[] = [];
  await database.each<{ player_id: string }>(
    sql`${withEventConditions(input)} SELECT player_id FROM players WHERE ${isMember(input)}
        ORDER BY player_id`,
    ({ player_id }) => ids.push(player_id),
    signal,
  );
  yield encoder.encode(writeCsvLine(SEGMENT_COLUMNS));
  for (let from = 0; from < ids.length; from += CSV_PAGE_SIZE) {
    const players = await database.query<PlayerRow>(
      sql`
        SELECT ${playerColumns} FROM players
        WHERE game_id = ${input.game_id} AND environment = ${input.environment}
          AND player_id = ANY(${ids.slice(from, from + CSV_PAGE_SIZE)}::text[])
        ORDER BY player_id`,
      signal,
    );
    const lines = players.map(({ player_id, tags, first_seen_at, last_seen_at, properties }) =>
      writeCsvLine([player_id, JSON.stringify(tags), first_seen_at, last_seen_at, properties]),
    );
    yield encoder.encode(lines.join(''));
  }
}

/** For each condition, a table of the players who sent enough of its events. */
function withEventConditions({ event_conditions, ...selection }: SegmentInput): Sql {
  if (event_conditions.length === 0) return sql``;
  const parts = event_conditions.map(
    ({ events, at_least }, index) => sql`
      ${CONDITION_NAMES[index]!} AS MATERIALIZED (
        SELECT player_id
        FROM events
        WHERE ${inRange(selection)} AND ${received(selection)} AND ${matches(events)}
          AND player_id IS NOT NULL
        GROUP BY player_id
        HAVING count(*) >= ${at_least}::bigint
      )`,
  );
  return sql`WITH ${joinSql(parts, ', ')}`;
}

/** One name for each condition that the contract allows. */
const CONDITION_NAMES = [
  sql`condition_1`,
  sql`condition_2`,
  sql`condition_3`,
  sql`condition_4`,
  sql`condition_5`,
];

function isMember(input: SegmentInput): Sql {
  const { game_id, environment, event_conditions } = input;
  return joinSql(
    [
      sql`game_id = ${game_id}::uuid AND environment = ${environment}::environment`,
      ...isInSegment(input),
      ...event_conditions.map(({ did }, index) => {
        const among = sql`EXISTS (SELECT FROM ${CONDITION_NAMES[index]!} AS condition
                                  WHERE condition.player_id = players.player_id)`;
        return did ? among : sql`NOT ${among}`;
      }),
    ],
    ' AND ',
  );
}
