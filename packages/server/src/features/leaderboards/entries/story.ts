import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { isEarlier, microseconds, momentOf } from '../../../platform/players/story-source.ts';
import type {
  StoryEntry,
  StoryPosition,
  StorySource,
} from '../../../platform/players/story-source.ts';

type Row = StoryEntry<'score'> & { at_us: number; key: string };

/**
 * The time of a submit's ledger row and that of its entry differ by at most this many microseconds,
 * because one transaction writes both.
 */
const SAME_WRITE = sql`60000000`;

/**
 * The scores of a player: the best score of each season, and for developers also the submits on record
 * and the scores that wait.
 */
export const scoreStory: StorySource<'score'> = {
  kind: 'score',
  async list(database, player, { before, limit, is_developer }) {
    const rows = await database.query<Row>(
      is_developer ? listAll(player, before, limit) : listBest(player, before, limit),
    );
    return { rows: rows.map(({ at_us, key, ...entry }) => ({ at_us, key, entry })) };
  },
};

const keyOf = (place: Sql) => sql`lpad((${place})::text, 10, '0') || ' ' || board_name`;

const columns = sql`board_name, season, score, score_before, outcome, rule, at_us, key`;

/** Selects the player's entries: at most one for each season of a board. An index finds them. */
const selectEntries = (player: PlayerKey) => sql`
  SELECT board_name, season, score, NULL::double precision AS score_before, 'best' AS outcome,
         NULL::text AS rule, updated_at AS at, ${microseconds(sql`updated_at`)} AS at_us,
         ${keyOf(sql`season`)} AS key
  FROM leaderboard_entries
  WHERE ${isOfPlayer(player)}`;

const selectWaiting = (player: PlayerKey) => sql`
  SELECT board_name, season, score, score_before, 'quarantined', rule, reached_at,
         ${microseconds(sql`reached_at`)}, ${keyOf(sql`season`)} || ' waiting'
  FROM leaderboard_held_scores
  WHERE ${isOfPlayer(player)} AND state = 'waiting'`;

const listBest = (player: PlayerKey, before: StoryPosition, limit: number) => sql`
  SELECT ${columns}
  FROM (${selectEntries(player)}) AS best
  WHERE ${isEarlier(sql`at`, sql`key`, before)}
  ORDER BY at DESC, key COLLATE "C" DESC
  LIMIT ${limit}`;

/**
 * In the ledger of submits, the column `version` has the time of the submit in microseconds. So the primary
 * key of the ledger sorts the submits of each board by time. An entry that is also in the ledger is listed
 * once.
 */
const listAll = (player: PlayerKey, before: StoryPosition, limit: number) => sql`
  WITH found AS (
    SELECT ${columns}, ${momentOf(before.at_us)}::timestamptz AS at
    FROM (SELECT board_name AS listed FROM leaderboards WHERE game_id = ${player.game_id}) AS board
    CROSS JOIN LATERAL (
      SELECT board_name, season, score, score_before, outcome::text AS outcome, rule,
             version AS at_us, ${keyOf(sql`place`)} AS key
      FROM leaderboard_submits AS submit
      WHERE ${isOfPlayer(player)} AND board_name = listed
        AND version <= ${before.at_us}::bigint
        AND (version < ${before.at_us}::bigint
          OR ${keyOf(sql`place`)} COLLATE "C" < ${before.key ?? ''}::text)
      ORDER BY version DESC, place DESC
      LIMIT ${limit}
    ) AS submit
    UNION ALL
    SELECT ${columns}, at
    FROM (${selectEntries(player)} UNION ALL ${selectWaiting(player)}) AS state
    WHERE ${isEarlier(sql`at`, sql`key`, before)}
      AND NOT EXISTS (
        SELECT FROM leaderboard_submits AS submit
        WHERE ${isOfPlayer(player)} AND submit.board_name = state.board_name
          AND version BETWEEN state.at_us - ${SAME_WRITE} AND state.at_us + ${SAME_WRITE}
          AND submitted_at = state.at)
  )
  SELECT ${columns} FROM found
  ORDER BY at_us DESC, key COLLATE "C" DESC
  LIMIT ${limit}`;
