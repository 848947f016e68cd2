import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { encodeTextArray } from '../../../platform/database/text-array.ts';
import { networkOf } from '../../../platform/network/network-address.ts';
import { lockPlayersOf } from '../../../platform/players/player-lock.ts';
import { isEntryOf, loggedChanges, raisedSeasons } from '../seasons/season-versions.ts';
import type { Raised } from '../seasons/season-versions.ts';
import { insertEntriesOf, seasonArrays } from '../store.ts';
import type { SeasonKey } from '../store.ts';
import type { LedgerRow, PlayerDecision } from './decide-submits.ts';

/** A score to store. `seq_offset` is added to the first new `seq` of the season. */
export interface NewScore {
  player_id: string;
  score: number;
  seq_offset: number;
  /** Null leaves the name of the entry unchanged. */
  player_name: string | null;
  metadata: string | null;
}

export interface HeldScore extends NewScore {
  waiting: NonNullable<PlayerDecision['waiting']>;
  /**
   * True if the player has no public entry. For such a player, only
   * a lock on the player makes an erasure wait for this score.
   */
  is_stranger: boolean;
}

/** The rows to store for one season of a board. They were decided when the season was at `version`. */
export interface SeasonDecisions {
  season: SeasonKey;
  version: number;
  next_version: number;
  seq_count: number;
  /** Better scores of players with entries. */
  improved: readonly NewScore[];
  /** First scores; they get consecutive entry numbers. */
  added: readonly NewScore[];
  held: readonly HeldScore[];
  ledger: readonly LedgerRow[];
}

/**
 * Lists the rows of all seasons. `board` is the index of the season in `seasons`, and `place` is the index of
 * the row in the season.
 */
const withBoards = <Row>(
  seasons: readonly SeasonDecisions[],
  rowsOf: (season: SeasonDecisions) => readonly Row[],
): (Row & { board: number; place: number })[] =>
  seasons.flatMap((season, board) =>
    rowsOf(season).map((row, place) => ({ ...row, board, place })),
  );

const scoreArrays = (rows: readonly (NewScore & { board: number })[]) => sql`
  ${rows.map(({ board }) => board)}::integer[],
  ${encodeTextArray(rows.map(({ player_id }) => player_id))}::text[],
  ${rows.map(({ score }) => score)}::float8[],
  ${rows.map(({ seq_offset }) => seq_offset)}::integer[],
  ${encodeTextArray(rows.map(({ player_name }) => player_name))}::text[],
  ${encodeTextArray(rows.map(({ metadata }) => metadata))}::text[]`;

const ledgerArrays = (rows: readonly (LedgerRow & { board: number; place: number })[]) => sql`
  ${rows.map(({ board }) => board)}::integer[],
  ${rows.map(({ place }) => place)}::integer[],
  ${encodeTextArray(rows.map(({ player_id }) => player_id))}::text[],
  ${rows.map(({ score }) => score)}::float8[],
  ${rows.map(({ score_before }) => score_before)}::float8[],
  ${rows.map(({ outcome }) => outcome)}::leaderboard_outcome[],
  ${rows.map(({ rule }) => rule)}::text[],
  ${rows.map(({ counted_ms }) => counted_ms)}::bigint[],
  ${rows.map(({ key_id }) => key_id)}::uuid[],
  ${rows.map(({ is_verified }) => is_verified)}::boolean[],
  ${rows.map(({ network }) => network)}::text[]`;

/**
 * Stores decisions in one statement. The decisions of a season are stored only if the season is still at the
 * version at which they were made. A season gets a new version even if only its ledger grows. So of two
 * servers that decide at the same version, only the first one stores its decisions.
 * @returns the new version of each season; null for a season that another server changed first.
 */
export async function storeDecisions(
  database: Queryable,
  seasons: readonly SeasonDecisions[],
  updated_at: string,
): Promise<(Raised | null)[]> {
  if (seasons.length === 0) return [];
  // On a cluster, one part of a statement cannot use the `ctid` of a row that another part has found.
  const by_key = database.is_spread;
  // Most batches have no first scores and no quarantined scores. Without the part for these, the statement
  // takes half the time.
  const has_newcomers = seasons.some(({ added, held }) => added.length + held.length > 0);
  const rows = await database.query<Raised & { board: number }>(sql`
    WITH asked AS (
      SELECT ordinality::integer - 1 AS board, asked.*
      FROM unnest(${seasonArrays(seasons.map(({ season }) => season))},
                  ${seasons.map(({ version }) => version)}::bigint[],
                  ${seasons.map(({ next_version }) => next_version)}::bigint[],
                  ${seasons.map(({ seq_count }) => seq_count)}::integer[],
                  ${seasons.map(({ added }) => added.length)}::integer[])
        WITH ORDINALITY AS asked (game_id, environment, board_name, season, version, next_version,
          seq_count, entry_count)
    ), ${raisedSeasons(sql`asked`)}, improved AS MATERIALIZED (
      SELECT ${by_key ? sql`raised.*, sent.player_id` : sql`board, entry.row`}, entry.entry_number, sent.score,
        sent.player_name, sent.metadata, first_seq + seq_offset AS seq
      FROM unnest(${scoreArrays(withBoards(seasons, (season) => season.improved))})
        AS sent (board, player_id, score, seq_offset, player_name, metadata)
      JOIN raised USING (board)
      CROSS JOIN LATERAL (
        SELECT ctid AS row, entry_number
        FROM leaderboard_entries AS entry
        WHERE ${isEntryOf(sql`raised`, sql`sent.player_id`)}
        OFFSET 0
      ) AS entry
    ), ${has_newcomers ? selectAdded(seasons) : sql``} changed AS (
      SELECT board, entry_number, score, seq FROM improved
      ${has_newcomers ? sql`UNION ALL SELECT board, entry_number, score, seq FROM added` : sql``}
    ), stored AS (
      UPDATE leaderboard_entries AS entry
      SET score = improved.score, seq = improved.seq, updated_at = ${updated_at},
        player_name = coalesce(improved.player_name, entry.player_name),
        metadata = coalesce(improved.metadata, entry.metadata)
      FROM improved
      WHERE ${by_key ? isEntryOf(sql`improved`, sql`improved.player_id`) : sql`entry.ctid = improved.row`}
    ), ${has_newcomers ? insertNewcomers(seasons, updated_at) : sql``} ledger AS (
      INSERT INTO leaderboard_submits
        (game_id, environment, player_id, board_name, version, place, season, score, score_before,
          outcome, rule, submitted_at, counted_ms, key_id, is_verified, network)
      SELECT game_id, environment, player_id, board_name, next_version, place, season, score,
        score_before, outcome, rule, ${updated_at}::timestamptz, counted_ms, key_id, is_verified,
        network
      FROM unnest(${ledgerArrays(withBoards(seasons, (season) => season.ledger))})
        AS sent (board, place, player_id, score, score_before, outcome, rule, counted_ms, key_id,
          is_verified, network)
      JOIN raised USING (board)
    ), ${loggedChanges}
    SELECT board, first_seq, first_entry_number, is_followed
    FROM raised`);
  const outcomes: (Raised | null)[] = seasons.map(() => null);
  for (const { board, ...raised } of rows) outcomes[board] = raised;
  return outcomes;
}

/** The part of the statement that selects the first scores of players. */
const selectAdded = (seasons: readonly SeasonDecisions[]) => sql`
    added AS MATERIALIZED (
      SELECT raised.*, sent.player_id, sent.score, sent.player_name, sent.metadata,
        first_seq + seq_offset AS seq,
        first_entry_number + (row_number() OVER (PARTITION BY board ORDER BY seq_offset))::integer - 1
          AS entry_number
      FROM unnest(${scoreArrays(withBoards(seasons, (season) => season.added))})
        AS sent (board, player_id, score, seq_offset, player_name, metadata)
      JOIN raised USING (board)
    ),`;

/**
 * The parts of the statement that store first scores and quarantined scores, and that lock players without
 * entries.
 */
function insertNewcomers(seasons: readonly SeasonDecisions[], updated_at: string) {
  const held = withBoards(seasons, (season) => season.held);
  return sql`
    inserted AS (
      ${insertEntriesOf(sql`added`, sql`${updated_at}::timestamptz`)}
    ), held AS MATERIALIZED (
      SELECT raised.*, sent.player_id, sent.score, sent.player_name, sent.metadata,
        first_seq + seq_offset AS seq, score_before, rule, key_id, is_verified, network, is_stranger
      FROM unnest(${scoreArrays(held)},
                  ${held.map(({ waiting }) => waiting.score_before)}::float8[],
                  ${held.map(({ waiting }) => waiting.rule)}::text[],
                  ${held.map(({ waiting }) => waiting.submit.sender.key_id)}::uuid[],
                  ${held.map(({ waiting }) => waiting.submit.sender.is_verified)}::boolean[],
                  ${held.map(({ waiting }) => networkOf(waiting.submit.sender.ip))}::text[],
                  ${held.map(({ is_stranger }) => is_stranger)}::boolean[])
        AS sent (board, player_id, score, seq_offset, player_name, metadata, score_before, rule,
          key_id, is_verified, network, is_stranger)
      JOIN raised USING (board)
    ), waiting AS (
      INSERT INTO leaderboard_held_scores AS held
        (game_id, environment, player_id, board_name, season, score, seq, player_name, metadata,
          reached_at, score_before, rule, key_id, is_verified, network)
      SELECT game_id, environment, player_id, board_name, season, score, seq, player_name, metadata,
        ${updated_at}::timestamptz, score_before, rule, key_id, is_verified, network
      FROM held
      ON CONFLICT (game_id, environment, board_name, season, player_id) WHERE state = 'waiting'
      DO UPDATE SET score = excluded.score, seq = excluded.seq, reached_at = excluded.reached_at,
        player_name = coalesce(excluded.player_name, held.player_name),
        metadata = coalesce(excluded.metadata, held.metadata),
        score_before = excluded.score_before, rule = excluded.rule, key_id = excluded.key_id,
        is_verified = excluded.is_verified, network = excluded.network
    ), strangers AS (
      SELECT game_id, environment, player_id FROM added
      UNION ALL
      SELECT game_id, environment, player_id FROM held WHERE is_stranger
    ), ${lockPlayersOf(sql`strangers`)},`;
}
