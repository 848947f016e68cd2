import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { encodeTextArray } from '../../../platform/database/text-array.ts';
import { lockPlayersOf } from '../../../platform/players/player-lock.ts';
import { insertChanges } from '../seasons/season-changes.ts';
import { isEntryOf, isSeasonOf, loggedChanges, raisedSeasons } from '../seasons/season-versions.ts';
import type { Raised } from '../seasons/season-versions.ts';
import { insertEntriesOf, seasonArrays } from '../store.ts';
import type { Entry, EntryChange, SeasonKey } from '../store.ts';

/**
 * Scores to store in one season of a board, at most one for each player. `version` is the version of the
 * season at which the server decided to store them.
 */
export interface SeasonScores {
  season: SeasonKey;
  version: number;
  /** The season's version after its scores are stored. */
  next_version: number;
  scores: readonly SentScore[];
}

interface SentScore {
  player_id: string;
  score: number;
  /** Null leaves the stored name unchanged. */
  player_name: string | null;
  metadata: string | null;
}

/** A player's entry as it was before the statement stored the player's score. */
export interface FoundEntry extends Omit<Entry, 'player_id' | 'seq' | 'score' | 'updated_at'> {
  /** The fields `score` and `updated_at` are null if the submitted score is better. */
  score: number | null;
  updated_at: string | null;
}

export interface Improved {
  /** One entry for each score, in the same order; null for a player without an entry. */
  entries: (FoundEntry | null)[];
  /**
   * Null when nothing was stored: no score is better than its entry, or another server changed the season
   * first.
   */
  raised: Raised | null;
}

/**
 * Makes the common table expression `asked`. It lists the seasons to change, and for each season the
 * number of sequence numbers (`seq`) and of new entries that it needs.
 */
const askedSeasons = (seasons: readonly SeasonScores[], makesEntries: boolean): Sql => sql`
  asked AS (
    SELECT ordinality::integer - 1 AS board, asked.*
    FROM unnest(${seasonArrays(seasons.map(({ season }) => season))},
                ${seasons.map(({ version }) => version)}::bigint[],
                ${seasons.map(({ next_version }) => next_version)}::bigint[],
                ${seasons.map(({ scores }) => scores.length)}::integer[],
                ${seasons.map(({ scores }) => (makesEntries ? scores.length : 0))}::integer[])
      WITH ORDINALITY AS asked (game_id, environment, board_name, season, version, next_version,
        seq_count, entry_count)
  )`;

/** The scores of all seasons as a table in SQL. `place` is the index of a score in the list of its season. */
const sentScores = (seasons: readonly SeasonScores[]): Sql => {
  const scores = seasons.flatMap((season) => season.scores);
  return sql`
    unnest(${seasons.flatMap((season, board) => season.scores.map(() => board))}::integer[],
           ${seasons.flatMap((season) => season.scores.map((_, place) => place))}::integer[],
           ${encodeTextArray(scores.map(({ player_id }) => player_id))}::text[],
           ${scores.map(({ score }) => score)}::float8[],
           ${encodeTextArray(scores.map(({ player_name }) => player_name))}::text[],
           ${encodeTextArray(scores.map(({ metadata }) => metadata))}::text[])
      AS sent (board, place, player_id, score, player_name, metadata)`;
};

/**
 * Finds the entries of players and stores the scores that are better, in one statement. (On a cluster
 * this takes two statements, which need a transaction.) The scores of a season are stored only if the
 * season is still at the version at which they were decided. A season without better scores is neither
 * locked nor written.
 * @returns the outcome for each season; null where the season is at another version.
 */
export async function improveEntries(
  database: Queryable,
  seasons: readonly SeasonScores[],
  updated_at: string,
): Promise<(Improved | null)[]> {
  if (seasons.length === 0) return [];
  // Each result row is about one score or about one season. The columns of the other kind are null, because
  // repeating a season's columns for each of its scores would take time.
  const rows = await database.query<
    FoundEntry & {
      board: number;
      /** Null in a row about a season. */
      place: number | null;
      first_seq: number | null;
      is_followed: boolean;
    }
  >(sql`
    WITH ${askedSeasons(seasons, false)}, found AS MATERIALIZED (
      SELECT asked.*, sort_order
      FROM asked
      CROSS JOIN LATERAL (
        SELECT sort_order FROM leaderboard_seasons AS season
        WHERE ${isSeasonOf(sql`asked`)} AND season.version = asked.version
        OFFSET 0
      ) AS season
    ), entry AS MATERIALIZED (
      SELECT sent.*, stored.row, stored.entry_number, stored.score AS stored_score,
        stored.player_name AS stored_name, stored.metadata AS stored_metadata, stored.updated_at,
        CASE sort_order WHEN 'ascending' THEN sent.score < stored.score
                        ELSE sent.score > stored.score END AS is_better
      FROM ${sentScores(seasons)}
      JOIN found USING (board)
      CROSS JOIN LATERAL (
        SELECT ctid AS row, entry_number, score, player_name, metadata, updated_at
        FROM leaderboard_entries AS entry
        WHERE ${isEntryOf(sql`found`, sql`sent.player_id`)}
        OFFSET 0
      ) AS stored
    ), improved AS MATERIALIZED (
      SELECT * FROM found
      WHERE EXISTS (SELECT FROM entry WHERE entry.board = found.board AND is_better)
    ), ${raisedSeasons(sql`improved`)}, changed AS MATERIALIZED (
      SELECT board, row, entry_number, score, first_seq + place AS seq, player_name, metadata
      FROM entry
      JOIN raised USING (board)
      WHERE is_better
    ), stored AS (
      UPDATE leaderboard_entries AS entry
      SET score = changed.score, seq = changed.seq, updated_at = ${updated_at},
        player_name = coalesce(changed.player_name, entry.player_name),
        metadata = coalesce(changed.metadata, entry.metadata)
      FROM changed
      -- The season's lock keeps the row where it was found.
      WHERE entry.ctid = changed.row
    )${database.is_spread ? sql`` : sql`, ${loggedChanges}`}
    SELECT board, place, entry_number, CASE WHEN NOT is_better THEN stored_score END AS score,
      stored_name AS player_name, stored_metadata AS metadata,
      CASE WHEN NOT is_better THEN updated_at END AS updated_at,
      NULL::bigint AS first_seq, NULL::boolean AS is_followed
    FROM entry
    UNION ALL
    SELECT found.board, NULL, NULL, NULL, NULL, NULL, NULL, first_seq, is_followed
    FROM found
    LEFT JOIN raised ON raised.board = found.board`);

  const outcomes: (Improved | null)[] = seasons.map(() => null);
  for (const { board, place, first_seq, is_followed } of rows) {
    if (place !== null) continue;
    outcomes[board] = {
      entries: seasons[board]!.scores.map(() => null),
      raised: first_seq === null ? null : { first_seq, first_entry_number: 0, is_followed },
    };
  }
  for (const row of rows) {
    if (row.place !== null) outcomes[row.board]!.entries[row.place] = row;
  }
  if (database.is_spread) await logImproved(database, seasons, outcomes);
  return outcomes;
}

/**
 * Logs changes in a separate statement. If the statement that updates entries also
 * inserted rows, a cluster would not run it as a whole on the node of the group.
 */
async function logImproved(
  tx: Queryable,
  seasons: readonly SeasonScores[],
  outcomes: readonly (Improved | null)[],
): Promise<void> {
  const logged = seasons.flatMap(({ season, version, next_version, scores }, board) => {
    const { entries, raised } = outcomes[board] ?? { entries: [], raised: null };
    if (!raised?.is_followed) return [];
    const changes = scores.flatMap(({ score }, place): EntryChange[] => {
      const entry = entries[place]!;
      return entry?.score === null ? [[entry.entry_number, score, raised.first_seq + place]] : [];
    });
    return [{ ...season, version: next_version, previous_version: version, entries: changes }];
  });
  if (logged.length > 0) await insertChanges(tx, logged);
}

/**
 * Stores the first scores of players who have no entries. Stores those of a season only if the season
 * still has the version at which these players had no entries. Locks the players. So an erasure of such a
 * player waits, and then also finds the new entry.
 * @returns the new version of each season; null where another server changed the season first.
 */
export async function insertEntries(
  database: Queryable,
  seasons: readonly SeasonScores[],
  updated_at: string,
): Promise<(Raised | null)[]> {
  if (seasons.length === 0) return [];
  const rows = await database.query<Raised & { board: number }>(sql`
    WITH ${askedSeasons(seasons, true)}, ${raisedSeasons(sql`asked`)}, changed AS MATERIALIZED (
      SELECT raised.*, sent.player_id, sent.score, sent.player_name, sent.metadata,
        first_entry_number + place AS entry_number, first_seq + place AS seq
      FROM ${sentScores(seasons)}
      JOIN raised USING (board)
    -- Before the entries: a cluster takes one step after the other.
    ), ${lockPlayersOf(sql`changed`)}, stored AS (
      ${insertEntriesOf(sql`changed`, sql`${updated_at}::timestamptz`)}
    ), ${loggedChanges}
    SELECT board, first_seq, first_entry_number, is_followed
    FROM raised`);
  const outcomes: (Raised | null)[] = seasons.map(() => null);
  for (const { board, ...raised } of rows) outcomes[board] = raised;
  return outcomes;
}

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
