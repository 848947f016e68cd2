import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { encodeTextArray } from '../../../platform/database/text-array.ts';
import { isEntryOf, isSeasonOf } from '../seasons/season-versions.ts';
import { seasonArrays } from '../store.ts';
import type { SeasonKey } from '../store.ts';
import type { PlayerState, StoredScore } from './decide-submits.ts';
import type { BoardPolicy } from './policy.ts';

interface PlayersOfSeason {
  season: SeasonKey;
  /** The version of this server's copy of the season. */
  version: number;
  policy: BoardPolicy;
  player_ids: readonly string[];
}

interface Row extends StoredScore {
  board: number;
  place: number;
  entry_number: number | null;
  waiting_score: number | null;
  waiting_seq: number;
  waiting_name: string | null;
  waiting_metadata: string | null;
  waiting_reached_at: string;
  last_submit_ms: number | null;
  is_banned: boolean;
}

const LEDGER_KEY = sql`(submit.game_id, submit.environment, submit.player_id, submit.board_name)`;

/**
 * Reads all data about players that the policies of boards need to judge their scores.
 * @returns For each season, the states of its players in the order of
 * `player_ids`, or null if the season in the database is no longer at `version`.
 */
export async function findPlayerStates(
  database: Queryable,
  seasons: readonly PlayersOfSeason[],
): Promise<(PlayerState[] | null)[]> {
  const players = seasons.flatMap(({ player_ids }, board) =>
    player_ids.map((player_id, place) => ({ board, place, player_id })),
  );
  const rows = await database.query<Row>(sql`
    WITH asked AS (
      SELECT ordinality::integer - 1 AS board, asked.*
      FROM unnest(${seasonArrays(seasons.map(({ season }) => season))},
                  ${seasons.map(({ version }) => version)}::bigint[],
                  ${seasons.map(({ policy }) => policy.has_waiting)}::boolean[],
                  ${seasons.map(({ policy }) => policy.min_submit_interval_ms !== null)}::boolean[],
                  ${seasons.map(({ policy }) => policy.has_bans)}::boolean[])
        WITH ORDINALITY AS asked (game_id, environment, board_name, season, version, has_waiting,
          asks_last_submit, has_bans)
    ), found AS MATERIALIZED (
      SELECT asked.*
      FROM asked
      CROSS JOIN LATERAL (
        SELECT FROM leaderboard_seasons AS season
        WHERE ${isSeasonOf(sql`asked`)} AND season.version = asked.version
        OFFSET 0
      ) AS season
    )
    SELECT sent.board, sent.place, entry.*, waiting.*, last_submit_ms, ban.game_id IS NOT NULL AS is_banned
    FROM unnest(${players.map(({ board }) => board)}::integer[],
                ${players.map(({ place }) => place)}::integer[],
                ${encodeTextArray(players.map(({ player_id }) => player_id))}::text[])
      AS sent (board, place, player_id)
    JOIN found USING (board)
    LEFT JOIN LATERAL (
      SELECT entry_number, score, seq, player_name, metadata, updated_at AS reached_at
      FROM leaderboard_entries AS entry
      WHERE ${isEntryOf(sql`found`, sql`sent.player_id`)}
      OFFSET 0
    ) AS entry ON true
    LEFT JOIN LATERAL (
      SELECT score AS waiting_score, seq AS waiting_seq, player_name AS waiting_name,
        metadata AS waiting_metadata, reached_at AS waiting_reached_at
      FROM leaderboard_held_scores AS held
      WHERE found.has_waiting AND held.game_id = found.game_id
        AND held.environment = found.environment AND held.board_name = found.board_name
        AND held.season = found.season AND held.player_id = sent.player_id AND state = 'waiting'
      OFFSET 0
    ) AS waiting ON true
    LEFT JOIN LATERAL (
      SELECT counted_ms AS last_submit_ms
      FROM leaderboard_submits AS submit
      WHERE found.asks_last_submit
        -- Not "=": before a new ledger has statistics, the planner would take the index by age, and
        -- each look-up would read the whole ledger of the board.
        AND ${LEDGER_KEY} >= (found.game_id, found.environment, sent.player_id, found.board_name)
        AND ${LEDGER_KEY} <= (found.game_id, found.environment, sent.player_id, found.board_name)
      ORDER BY submit.game_id DESC, submit.environment DESC, submit.player_id DESC,
        submit.board_name DESC, submit.version DESC, submit.place DESC
      LIMIT 1
    ) AS last ON true
    LEFT JOIN LATERAL (
      SELECT ban.game_id
      FROM leaderboard_decisions AS ban
      WHERE found.has_bans AND ban.game_id = found.game_id
        AND ban.environment = found.environment AND ban.player_id = sent.player_id
        AND ban.board_name = ANY(ARRAY['', found.board_name])
        AND kind = 'ban' AND undone_at IS NULL
      LIMIT 1
    ) AS ban ON true`);

  const states: (PlayerState[] | null)[] = seasons.map(() => null);
  for (const row of rows) (states[row.board] ??= [])[row.place] = toState(row);
  return states;
}

function toState(row: Row): PlayerState {
  const { entry_number, score, seq, player_name, metadata, reached_at } = row;
  const entry =
    entry_number === null ? null : { entry_number, score, seq, player_name, metadata, reached_at };
  const waiting =
    row.waiting_score === null
      ? null
      : {
          score: row.waiting_score,
          seq: row.waiting_seq,
          player_name: row.waiting_name,
          metadata: row.waiting_metadata,
          reached_at: row.waiting_reached_at,
        };
  return { entry, waiting, last_submit_ms: row.last_submit_ms, is_banned: row.is_banned };
}
