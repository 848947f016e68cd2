import type { BoardRule } from '@overworld/contract/leaderboards/rules';
import type { Queryable } from '../../../platform/database/database.ts';
import { encodeTextArray, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { networkOf } from '../../../platform/network/network-address.ts';
import { lockPlayersOf } from '../../../platform/players/player-lock.ts';
import {
  insertEntriesOf,
  isEntryOf,
  isSeasonOf,
  loggedChanges,
  raisedSeasons,
  seasonArrays,
} from '../store.ts';
import type { Raised, SeasonKey } from '../store.ts';
import { insertKeys } from './submit-keys.ts';
import type { NewKey } from './submit-keys.ts';
import type { LedgerRow, Submit } from './decide-submits.ts';

/** A score to store. `seq_offset` is added to the first new `seq` of the season. */
export interface NewScore {
  /** Without a name or metadata, it leaves those of the stored score unchanged. */
  submit: Submit;
  seq_offset: number;
}

/** A score that waits for a decision from now on. */
export interface NewWaiting extends NewScore {
  rule: BoardRule;
  score_before: number | null;
  /**
   * True if the player has no public entry. For such a player, only
   * a lock on the player makes an erasure wait for this score.
   */
  is_stranger: boolean;
}

/** The rows to store for one season of a board. They were decided when the season was at `version`. */
export interface SeasonWrites {
  season: SeasonKey;
  version: number;
  next_version: number;
  seq_count: number;
  /** Better scores of players with entries. */
  improved: NewScore[];
  /** First scores; they get consecutive entry numbers. */
  added: NewScore[];
  waiting: NewWaiting[];
  ledger: LedgerRow[];
  keys: NewKey[];
  /** True on a board with a tie-break. */
  has_ties: boolean;
}

/**
 * Stores decisions in one statement, which has parts only for the kinds of rows that occur. The rows of a
 * season are stored only if the season is still at the version at which they were decided. A season gets a
 * new version even if only its ledger grows. So of two servers that decide at the same version, only the
 * first one stores its decisions.
 * @returns the new version of each season; null for a season that another server changed first.
 */
export async function storeWrites(
  database: Queryable,
  seasons: readonly SeasonWrites[],
  updated_at: string,
): Promise<(Raised | null)[]> {
  const improved = withBoards(seasons, (season) => season.improved);
  const added = withBoards(seasons, (season) => season.added);
  const waiting = withBoards(seasons, (season) => season.waiting);
  const ledger = withBoards(seasons, (season) => season.ledger);
  const keys = withBoards(seasons, (season) => season.keys);
  const has_ties = seasons.some((season) => season.has_ties);
  const when = (rows: readonly unknown[], part: () => Sql): Sql =>
    rows.length > 0 ? part() : sql``;
  const changed = sql`entry_number, score, seq ${has_ties ? sql`, tie_value` : sql``}`;
  const rows = await database.query<Raised & { board: number }>(sql`
    WITH asked AS (
      SELECT ordinality::integer - 1 AS board, asked.*
      FROM unnest(${seasonArrays(seasons.map(({ season }) => season))},
                  ${seasons.map(({ version }) => version)}::bigint[],
                  ${seasons.map(({ next_version }) => next_version)}::bigint[],
                  ${seasons.map(({ seq_count }) => seq_count)}::integer[],
                  ${seasons.map((season) => season.added.length)}::integer[])
        WITH ORDINALITY AS asked (game_id, environment, board_name, season, version, next_version,
          seq_count, entry_count)
    ), ${raisedSeasons(sql`asked`)},
    ${when(improved, () => updateEntries(database, improved, has_ties, updated_at))}
    ${when(added, () => selectAdded(added, has_ties))}
    ${when(waiting, () => selectWaiting(waiting, has_ties))}
    ${when([...added, ...waiting], () => lockStrangers(added.length > 0, waiting.length > 0))}
    ${when(added, () => insertAdded(updated_at))}
    ${when(waiting, () => upsertWaiting(updated_at))}
    ${when(ledger, () => insertLedger(ledger, updated_at))}
    ${when(keys, () => insertKeys(keys, updated_at))}
    changed AS (
      SELECT NULL::integer AS board, NULL::integer AS entry_number, NULL::float8 AS score,
        NULL::bigint AS seq ${has_ties ? sql`, NULL::float8 AS tie_value` : sql``}
      WHERE false
      ${when(improved, () => sql`UNION ALL SELECT board, ${changed} FROM improved`)}
      ${when(added, () => sql`UNION ALL SELECT board, ${changed} FROM added`)}
    ), ${loggedChanges(changed)}
    SELECT board, first_seq, first_entry_number, is_followed
    FROM raised`);
  const outcomes: (Raised | null)[] = seasons.map(() => null);
  for (const { board, ...raised } of rows) outcomes[board] = raised;
  return outcomes;
}

/**
 * Lists the rows of all seasons. `board` is the index of the season in `seasons`, and `place` is the index of
 * the row in the season.
 */
const withBoards = <Row>(
  seasons: readonly SeasonWrites[],
  rowsOf: (season: SeasonWrites) => readonly Row[],
): (Row & { board: number; place: number })[] =>
  seasons.flatMap((season, board) =>
    rowsOf(season).map((row, place) => ({ ...row, board, place })),
  );

type OfSeason<Row> = readonly (Row & { board: number; place: number })[];

/** Makes the arguments of `unnest` for the columns that `scoreNames` lists. */
const scoreArrays = (rows: OfSeason<NewScore>, has_ties: boolean): Sql => sql`
  ${rows.map(({ board }) => board)}::integer[],
  ${rows.map(({ place }) => place)}::integer[],
  ${encodeTextArray(rows.map(({ submit }) => submit.player_id))}::text[],
  ${rows.map(({ submit }) => submit.score)}::float8[],
  ${rows.map(({ seq_offset }) => seq_offset)}::integer[],
  ${encodeTextArray(rows.map(({ submit }) => submit.player_name))}::text[],
  ${encodeTextArray(rows.map(({ submit }) => submit.metadata))}::text[]
  ${has_ties ? sql`, ${rows.map(({ submit }) => submit.tie_value)}::float8[]` : sql``}`;

const scoreNames = (has_ties: boolean): Sql =>
  sql`board, place, player_id, score, seq_offset, player_name, metadata
    ${has_ties ? sql`, tie_value` : sql``}`;

/**
 * Finds the entries again that a part of the statement has found. On a cluster, another part cannot use the
 * `ctid` of a row. By its key, a plan made while the table was empty would read all of the table.
 */
const FOUND_ENTRIES = {
  plain: { columns: sql`board, entry.row`, isFound: sql`entry.ctid = improved.row` },
  cluster: {
    columns: sql`raised.*, sent.player_id`,
    isFound: isEntryOf(sql`improved`, sql`improved.player_id`),
  },
};

/** The part of the statement that stores better scores. */
function updateEntries(
  database: Queryable,
  rows: OfSeason<NewScore>,
  has_ties: boolean,
  updated_at: string,
): Sql {
  const { columns, isFound } = database.formFor(FOUND_ENTRIES);
  return sql`
    improved AS MATERIALIZED (
      SELECT ${columns}, entry.entry_number,
        sent.score, sent.player_name, sent.metadata, first_seq + seq_offset AS seq
        ${has_ties ? sql`, sent.tie_value` : sql``}
      FROM unnest(${scoreArrays(rows, has_ties)}) AS sent (${scoreNames(has_ties)})
      JOIN raised USING (board)
      CROSS JOIN LATERAL (
        SELECT ctid AS row, entry_number
        FROM leaderboard_entries AS entry
        WHERE ${isEntryOf(sql`raised`, sql`sent.player_id`)}
        OFFSET 0
      ) AS entry
    ), updated AS (
      UPDATE leaderboard_entries AS entry
      SET score = improved.score, seq = improved.seq, updated_at = ${updated_at},
        player_name = coalesce(improved.player_name, entry.player_name),
        metadata = coalesce(improved.metadata, entry.metadata)
        ${has_ties ? sql`, tie_value = improved.tie_value` : sql``}
      FROM improved
      WHERE ${isFound}
    ),`;
}

/** The part of the statement that selects first scores. */
const selectAdded = (rows: OfSeason<NewScore>, has_ties: boolean): Sql => sql`
    added AS MATERIALIZED (
      SELECT raised.*, sent.player_id, sent.score, sent.player_name, sent.metadata,
        first_seq + seq_offset AS seq, first_entry_number + place AS entry_number,
        ${has_ties ? sql`sent.tie_value` : sql`NULL::float8 AS tie_value`}
      FROM unnest(${scoreArrays(rows, has_ties)}) AS sent (${scoreNames(has_ties)})
      JOIN raised USING (board)
    ),`;

const insertAdded = (updated_at: string): Sql => sql`
    inserted AS (
      ${insertEntriesOf(sql`added`, sql`${updated_at}::timestamptz`)}
    ),`;

/** The part of the statement that selects scores that wait for a decision. */
const selectWaiting = (rows: OfSeason<NewWaiting>, has_ties: boolean): Sql => sql`
    held AS MATERIALIZED (
      SELECT raised.*, sent.player_id, sent.score, sent.player_name, sent.metadata,
        first_seq + seq_offset AS seq, score_before, rule, key_id, is_verified, network, is_stranger,
        ${has_ties ? sql`sent.tie_value` : sql`NULL::float8 AS tie_value`}
      FROM unnest(${scoreArrays(rows, has_ties)},
                  ${rows.map(({ score_before }) => score_before)}::float8[],
                  ${rows.map(({ rule }) => rule)}::text[],
                  ${rows.map(({ submit }) => submit.sender.key_id)}::uuid[],
                  ${rows.map(({ submit }) => submit.sender.is_verified)}::boolean[],
                  ${rows.map(({ submit }) => networkOf(submit.sender.ip))}::text[],
                  ${rows.map(({ is_stranger }) => is_stranger)}::boolean[])
        AS sent (${scoreNames(has_ties)}, score_before, rule,
          key_id, is_verified, network, is_stranger)
      JOIN raised USING (board)
    ),`;

const upsertWaiting = (updated_at: string): Sql => sql`
    waiting AS (
      INSERT INTO leaderboard_held_scores AS held
        (game_id, environment, player_id, board_name, season, score, seq, player_name, metadata,
          reached_at, score_before, rule, key_id, is_verified, network, tie_value)
      SELECT game_id, environment, player_id, board_name, season, score, seq, player_name, metadata,
        ${updated_at}::timestamptz, score_before, rule, key_id, is_verified, network, tie_value
      FROM held
      ON CONFLICT (game_id, environment, board_name, season, player_id) WHERE state = 'waiting'
      DO UPDATE SET score = excluded.score, seq = excluded.seq, reached_at = excluded.reached_at,
        player_name = coalesce(excluded.player_name, held.player_name),
        metadata = coalesce(excluded.metadata, held.metadata),
        score_before = excluded.score_before, rule = excluded.rule, key_id = excluded.key_id,
        is_verified = excluded.is_verified, network = excluded.network,
        tie_value = excluded.tie_value
    ),`;

/**
 * The part of the statement that locks players without entries, so that an erasure finds their scores. It
 * comes before the insertions, because a cluster takes one step after the other.
 */
const lockStrangers = (are_added: boolean, are_waiting: boolean): Sql => sql`
    strangers AS (
      ${are_added ? sql`SELECT game_id, environment, player_id FROM added` : sql``}
      ${are_added && are_waiting ? sql`UNION ALL` : sql``}
      ${are_waiting ? sql`SELECT game_id, environment, player_id FROM held WHERE is_stranger` : sql``}
    ), ${lockPlayersOf(sql`strangers`)},`;

const insertLedger = (rows: OfSeason<LedgerRow>, updated_at: string): Sql => sql`
    ledger AS (
      INSERT INTO leaderboard_submits
        (game_id, environment, player_id, board_name, version, place, season, score, score_before,
          outcome, rule, submitted_at, counted_ms, key_id, is_verified, network)
      SELECT game_id, environment, player_id, board_name, next_version, place, season, score,
        score_before, outcome, rule, ${updated_at}::timestamptz, counted_ms, key_id, is_verified,
        network
      FROM unnest(${rows.map(({ board }) => board)}::integer[],
                  ${rows.map(({ place }) => place)}::integer[],
                  ${encodeTextArray(rows.map(({ player_id }) => player_id))}::text[],
                  ${rows.map(({ score }) => score)}::float8[],
                  ${rows.map(({ score_before }) => score_before)}::float8[],
                  ${rows.map(({ outcome }) => outcome)}::leaderboard_outcome[],
                  ${rows.map(({ rule }) => rule)}::text[],
                  ${rows.map(({ counted_ms }) => counted_ms)}::bigint[],
                  ${rows.map(({ key_id }) => key_id)}::uuid[],
                  ${rows.map(({ is_verified }) => is_verified)}::boolean[],
                  ${rows.map(({ network }) => network)}::text[])
        AS sent (board, place, player_id, score, score_before, outcome, rule, counted_ms, key_id,
          is_verified, network)
      JOIN raised USING (board)
    ),`;

/**
 * Locks the rows of seasons, in the given order, until the transaction ends. Fails if it has to wait for
 * more than a second, because the submits to all other boards wait meanwhile.
 */
export async function lockSeasons(tx: Queryable, seasons: readonly SeasonKey[]): Promise<void> {
  await tx.execute(sql`SET LOCAL lock_timeout = '1s'`);
  await tx.execute(sql`
    SELECT
    FROM unnest(${seasonArrays(seasons)})
      AS asked (game_id, environment, board_name, season)
    CROSS JOIN LATERAL (
      SELECT FROM leaderboard_seasons AS season
      WHERE ${isSeasonOf(sql`asked`)}
      FOR NO KEY UPDATE
    ) AS season`);
}
