import type { Environment } from '@overworld/contract/common';
import type { SortOrder } from '@overworld/contract/leaderboards/settings';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';

/** Names a board of one environment. */
export interface BoardKey {
  game_id: string;
  environment: Environment;
  board_name: string;
}

export interface SeasonKey extends BoardKey {
  season: number;
}

/** A season of a board (null: the current one) as one text, for maps and for one order of locks. */
export const nameOfSeason = (
  { game_id, environment, board_name }: BoardKey,
  season: number | null,
): string => `${game_id} ${environment} ${season ?? ''} ${board_name}`;

/** SQL, true for rows of a board. */
export const ofBoard = ({ game_id, environment, board_name }: BoardKey): Sql => sql`
  game_id = ${game_id} AND environment = ${environment} AND board_name = ${board_name}`;

/** SQL, true for rows of a season. */
export const ofSeason = (season: SeasonKey): Sql => sql`
  ${ofBoard(season)} AND season = ${season.season}`;

/** Arguments of `unnest` for `game_id, environment, board_name, season`. */
export const seasonArrays = (
  seasons: readonly (BoardKey & { season: number | null })[],
): Sql => sql`
  ${seasons.map(({ game_id }) => game_id)}::uuid[],
  ${seasons.map(({ environment }) => environment)}::environment[],
  ${seasons.map(({ board_name }) => board_name)}::text[],
  ${seasons.map(({ season }) => season)}::integer[]`;

/** The scores that a board accepts. */
export interface Bounds {
  min_score: number | null;
  max_score: number | null;
}

/** A board as it is stored at one moment. */
export interface BoardState extends Bounds {
  /** The season asked for; null when there is none. */
  season: SeasonState | null;
}

export interface SeasonState {
  number: number;
  sort_order: SortOrder;
  version: number;
  total_entries: number;
  next_entry_number: number;
  next_seq: number;
  /** When its schedule ends it, in milliseconds since 1970; null if only a reset does. */
  ends_at: number | null;
  /** For how long changes are still logged, in milliseconds; null if they never were. */
  followed_ms: number | null;
  /** Changes since the version that the caller knows; null when it is the current one. */
  changes: LoggedChange[] | null;
}

/** The change from one version of a season to the next. */
export interface LoggedChange {
  version: number;
  previous_version: number;
  entries: EntryChange[];
}

/** An entry has a new score, or, without score and seq, is removed. */
export type EntryChange =
  | [entry_number: number, score: number, seq: number]
  | [entry_number: number];

export interface Entry {
  entry_number: number;
  player_id: string;
  score: number;
  seq: number;
  player_name: string | null;
  /** JSON text. */
  metadata: string | null;
  updated_at: string;
}

/** The rows to read of one board. */
export interface Question {
  board: BoardKey;
  /** Null for the current one. */
  season: number | null;
  /** Version of the caller's copy. */
  known_version: number | null;
  entry_numbers: Iterable<number>;
  player_ids: Iterable<string>;
}

export interface Answer {
  state: BoardState;
  /** The entries found among those asked for. */
  entries: Entry[];
}

/** Past this number of changes a copy is read again, which is no slower than to follow them. */
const MAX_CHANGES = 5_000;
const MAX_SEASON = 2_147_483_647;

/** Reads boards and entries of them, all at one moment. Answers in the order of the questions. */
export async function readBoards(
  database: Queryable,
  questions: readonly Question[],
): Promise<Answer[]> {
  const numbers = questions.flatMap((question, board) =>
    Array.from(question.entry_numbers, (entry_number) => ({ board, entry_number })),
  );
  const players = questions.flatMap((question, board) =>
    Array.from(question.player_ids, (player_id) => ({ board, player_id })),
  );
  const rows = await database.query<Entry & { board: number; state: string | null }>(sql`
    WITH asked AS (
      SELECT ordinality - 1 AS board, game_id, environment, board_name, season, known_version
      FROM unnest(${seasonArrays(questions.map(({ board, season }) => ({ ...board, season })))},
                  ${questions.map(({ known_version }) => known_version)}::bigint[])
        WITH ORDINALITY AS asked (game_id, environment, board_name, season, known_version)
    ), found AS MATERIALIZED (
      SELECT board, asked.game_id, asked.environment, asked.board_name, current.season, known_version,
        sort_order, version, total_entries, next_entry_number, next_seq, ends_at, followed_until,
        min_score, max_score
      FROM asked
      LEFT JOIN LATERAL (
        SELECT min_score, max_score
        FROM leaderboards
        WHERE leaderboards.game_id = asked.game_id AND leaderboards.board_name = asked.board_name
        OFFSET 0
      ) AS settings ON true
      LEFT JOIN LATERAL (
        SELECT * FROM leaderboard_seasons AS known
        WHERE known.game_id = asked.game_id AND known.environment = asked.environment
          AND known.board_name = asked.board_name
          AND known.season <= coalesce(asked.season, ${MAX_SEASON})
        ORDER BY known.season DESC
        LIMIT 1
      ) AS current ON asked.season IS NULL OR asked.season = current.season
    )
    SELECT board, NULL::integer AS entry_number, NULL AS player_id, NULL::float8 AS score,
      NULL::bigint AS seq, NULL AS player_name, NULL AS metadata, NULL::timestamptz AS updated_at,
      json_build_object('min_score', min_score, 'max_score', max_score,
        'season', CASE WHEN season IS NOT NULL THEN json_build_object(
          'number', season,
          'sort_order', sort_order,
          'version', version,
          'total_entries', total_entries,
          'next_entry_number', next_entry_number,
          'next_seq', next_seq,
          'ends_at', (extract(epoch FROM ends_at) * 1000)::bigint,
          'followed_ms', (extract(epoch FROM followed_until - now()) * 1000)::bigint,
          'changes', CASE WHEN known_version <> version THEN (
            SELECT coalesce(json_agg(json_build_object('version', change.version,
              'previous_version', previous_version, 'entries', changes::json)), '[]')
            FROM (
              SELECT * FROM leaderboard_changes AS change
              WHERE change.game_id = found.game_id AND change.environment = found.environment
                AND change.board_name = found.board_name AND change.season = found.season
                AND change.version > known_version
              ORDER BY change.version
              LIMIT ${MAX_CHANGES}
            ) AS change
          ) END
        ) END
      )::text AS state
    FROM found
    UNION ALL
    SELECT board, entry.*, NULL
    FROM unnest(${numbers.map(({ board }) => board)}::integer[],
                ${numbers.map(({ entry_number }) => entry_number)}::integer[])
      AS wanted (board, entry_number)
    ${joinEntries(sql`entry.entry_number = wanted.entry_number`)}
    UNION ALL
    SELECT board, entry.*, NULL
    FROM unnest(${players.map(({ board }) => board)}::integer[],
                ${players.map(({ player_id }) => player_id)}::text[])
      AS wanted (board, player_id)
    ${joinEntries(sql`entry.player_id = wanted.player_id`)}`);

  const answers: Answer[] = questions.map(() => ({ state: NO_BOARD, entries: [] }));
  for (const { board, state, ...entry } of rows) {
    const answer = answers[board]!;
    if (state === null) answer.entries.push(entry);
    else answer.state = JSON.parse(state) as BoardState;
  }
  return answers;
}

const joinEntries = (condition: Sql) => sql`
  JOIN found USING (board)
  CROSS JOIN LATERAL (
    SELECT entry_number, player_id, score, seq, player_name, metadata, updated_at
    FROM leaderboard_entries AS entry
    WHERE entry.game_id = found.game_id AND entry.environment = found.environment
      AND entry.board_name = found.board_name AND entry.season = found.season AND ${condition}
    OFFSET 0
  ) AS entry`;

const NO_BOARD: BoardState = { min_score: null, max_score: null, season: null };

/** Runs `read` in a transaction in which all statements see the same moment. */
export async function readAtOneMoment<T>(
  database: Database,
  read: (tx: Queryable) => Promise<T>,
): Promise<T> {
  return database.transaction(async (tx) => {
    await tx.execute(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`);
    return read(tx);
  });
}
