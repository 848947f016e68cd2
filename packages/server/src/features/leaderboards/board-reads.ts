import { sql } from '../../platform/database/sql.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { selectPolicy } from './rules.ts';
import { seasonArrays } from './store.ts';
import type { BoardKey, BoardState, Entry, WaitingScore } from './store.ts';

/** A board, and the rows to read from it. */
export interface Question {
  board: BoardKey;
  /** Null for the current season. */
  season: number | null;
  /** The version of the copy that the caller has; null when the caller has no copy. */
  known_version: number | null;
  entry_numbers: Iterable<number>;
  player_ids: Iterable<string>;
  /** Players whose waiting scores are read too. */
  waiting_player_ids?: Iterable<string>;
}

export interface Answer {
  state: BoardState;
  /** The requested entries that exist. */
  entries: Entry[];
  waiting: WaitingScore[];
}

/**
 * When more changes than this are missing, the whole copy is
 * loaded again, which takes no longer than applying the changes.
 */
const MAX_CHANGES = 5_000;
const MAX_SEASON = 2_147_483_647;

/**
 * Reads boards and some of their entries, all in one snapshot.
 * @returns one answer for each question, in the same order.
 */
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
  const waiting = questions.flatMap((question, board) =>
    Array.from(question.waiting_player_ids ?? [], (player_id) => ({ board, player_id })),
  );
  const rows = await database.query<
    Omit<Entry, 'entry_number'> & {
      board: number;
      entry_number: number | null;
      state: string | null;
    }
  >(sql`
    WITH asked AS (
      SELECT ordinality - 1 AS board, game_id, environment, board_name, season, known_version
      FROM unnest(${seasonArrays(questions.map(({ board, season }) => ({ ...board, season })))},
                  ${questions.map(({ known_version }) => known_version)}::bigint[])
        WITH ORDINALITY AS asked (game_id, environment, board_name, season, known_version)
    ), found AS MATERIALIZED (
      SELECT board, asked.game_id, asked.environment, asked.board_name, current.season, known_version,
        sort_order, version, total_entries, next_entry_number, next_seq, ends_at, followed_until,
        keeps, tie_break, min_score, max_score
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
      NULL::float8 AS tie_value,
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
          ) END,
          'policy', CASE WHEN known_version IS DISTINCT FROM version THEN
            ${selectPolicy(sql`found`)}
          END
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
    ${joinEntries(sql`entry.player_id = wanted.player_id`)}
    ${waiting.length > 0 ? selectWaiting(waiting) : sql``}`);

  const answers: Answer[] = questions.map(() => ({ state: NO_BOARD, entries: [], waiting: [] }));
  for (const { board, state, entry_number, ...entry } of rows) {
    const answer = answers[board]!;
    if (state !== null) answer.state = JSON.parse(state) as BoardState;
    else if (entry_number === null) answer.waiting.push(entry);
    else answer.entries.push({ entry_number, ...entry });
  }
  return answers;
}

/**
 * Makes the part of the statement that reads waiting scores. Only
 * the few requests that need waiting scores include this part.
 */
const selectWaiting = (players: readonly { board: number; player_id: string }[]) => sql`
  UNION ALL
  SELECT board, NULL, held.*, NULL
  FROM unnest(${players.map(({ board }) => board)}::integer[],
              ${players.map(({ player_id }) => player_id)}::text[])
    AS wanted (board, player_id)
  JOIN found USING (board)
  CROSS JOIN LATERAL (
    SELECT player_id, score, seq, player_name, metadata, reached_at, tie_value
    FROM leaderboard_held_scores AS held
    WHERE held.game_id = found.game_id AND held.environment = found.environment
      AND held.board_name = found.board_name AND held.season = found.season
      AND held.player_id = wanted.player_id AND state = 'waiting'
    OFFSET 0
  ) AS held`;

const joinEntries = (condition: Sql) => sql`
  JOIN found USING (board)
  CROSS JOIN LATERAL (
    SELECT entry_number, player_id, score, seq, player_name, metadata, updated_at, tie_value
    FROM leaderboard_entries AS entry
    WHERE entry.game_id = found.game_id AND entry.environment = found.environment
      AND entry.board_name = found.board_name AND entry.season = found.season AND ${condition}
    OFFSET 0
  ) AS entry`;

const NO_BOARD: BoardState = { min_score: null, max_score: null, season: null };
