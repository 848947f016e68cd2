import type { Queryable } from '../../../platform/database/database.ts';
import { encodeTextArray, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { asksLastSubmit } from '../rules.ts';
import type { BoardPolicy } from '../rules.ts';
import { insertChanges } from '../seasons/season-changes.ts';
import { isEntryOf, isSeasonOf, loggedChanges, raisedSeasons, seasonArrays } from '../store.ts';
import type { EntryChange, SeasonKey } from '../store.ts';
import type { PlayerState, Submit } from './decide-submits.ts';

/** The submits to a season, for which a server asks at the version of its copy. */
export interface SeasonSubmits {
  season: SeasonKey;
  version: number;
  /** The version of the season if the statement changes it. */
  next_version: number;
  policy: BoardPolicy | null;
  players: readonly {
    player_id: string;
    /** The player's best submit. */
    best: Pick<Submit, 'score' | 'player_name' | 'metadata'>;
    requests: readonly Pick<Submit, 'once'>[];
  }[];
}

/**
 * The players of a season. `overtaken`: the season is no longer at the version of the copy. `locked`: another
 * transaction is about to change it.
 */
export type FoundBoard =
  | {
      /** In the order of the players of `SeasonSubmits`. */
      players: FoundPlayer[];
      /** Tells whether the change is logged for other servers; null if the statement changed nothing. */
      is_followed: boolean | null;
    }
  | 'overtaken'
  | 'locked';

/** A player before the statement, and the `seq` of the better score if the statement has stored it. */
export type FoundPlayer = PlayerState & { stored_seq: number | null };

interface Row {
  board: number;
  /** Null for a season without players. */
  place: number | null;
  entry_number: number | null;
  score: number;
  player_name: string | null;
  metadata: string | null;
  /** Null for an entry that the statement improves. */
  reached_at: string | null;
  is_better: boolean;
  stored_seq: number | null;
  is_followed: boolean | null;
  tie_value?: number | null;
  waiting_tie_value?: number | null;
  waiting_score?: number | null;
  waiting_seq?: number;
  waiting_name?: string | null;
  waiting_metadata?: string | null;
  waiting_reached_at?: string;
  counted_ms?: number | null;
  is_banned?: boolean;
}

/**
 * Reads the players who submit to seasons, and all that the policies of boards need to judge their scores. On
 * boards without rules it also stores the scores that are better than their entries. Such a season gets its
 * next version. If no score is better, the most common case, the statement takes no lock and writes nothing.
 * @returns one result for each season, in the same order.
 */
export async function readAndImprove(
  database: Queryable,
  seasons: readonly SeasonSubmits[],
  updated_at: string,
): Promise<FoundBoard[]> {
  const are_plain = seasons.map(({ policy }) => policy === null);
  const players = seasons.flatMap(({ players: all }, board) =>
    all.map(({ player_id, best }, place) => ({
      board,
      place,
      player_id,
      // Only the statement itself needs the scores, not the decision about them.
      best: are_plain[board] ? best : null,
    })),
  );
  const has_rules = are_plain.includes(false);
  const is_improving = are_plain.includes(true);
  const rows = await database.query<Row>(sql`
    WITH asked AS (
      SELECT ordinality::integer - 1 AS board, asked.*
      FROM unnest(${seasonArrays(seasons.map(({ season }) => season))},
                  ${seasons.map(({ version }) => version)}::bigint[],
                  ${seasons.map(({ next_version }) => next_version)}::bigint[],
                  ${seasons.map((season) => season.players.length)}::integer[],
                  ${seasons.map(({ policy }) => policy?.has_waiting ?? false)}::boolean[],
                  ${seasons.map(({ policy }) => policy !== null && asksLastSubmit(policy))}::boolean[],
                  ${seasons.map(({ policy }) => policy?.has_bans ?? false)}::boolean[])
        WITH ORDINALITY AS asked (game_id, environment, board_name, season, version, next_version,
          seq_count, has_waiting, asks_last_submit, has_bans)
    ), found AS MATERIALIZED (
      SELECT asked.*, 0 AS entry_count, sort_order
      FROM asked
      CROSS JOIN LATERAL (
        SELECT sort_order FROM leaderboard_seasons AS season
        WHERE ${isSeasonOf(sql`asked`)} AND season.version = asked.version
        OFFSET 0
      ) AS season
    ), player AS MATERIALIZED (
      SELECT found.board, sent.place, sent.score AS sent_score, sent.player_name AS sent_name,
        sent.metadata AS sent_metadata, entry.*, ${has_rules ? ruleColumns : sql``}
        coalesce(CASE sort_order WHEN 'ascending' THEN sent.score < entry.score
                                 ELSE sent.score > entry.score END, false) AS is_better
      FROM found
      LEFT JOIN unnest(${players.map(({ board }) => board)}::integer[],
                       ${players.map(({ place }) => place)}::integer[],
                       ${encodeTextArray(players.map(({ player_id }) => player_id))}::text[],
                       ${players.map(({ best }) => best?.score)}::float8[],
                       ${encodeTextArray(players.map(({ best }) => best?.player_name ?? null))}::text[],
                       ${encodeTextArray(players.map(({ best }) => best?.metadata ?? null))}::text[])
        AS sent (board, place, player_id, score, player_name, metadata) USING (board)
      LEFT JOIN LATERAL (
        SELECT ctid AS row, entry_number, score, player_name, metadata, updated_at
          ${has_rules ? sql`, tie_value` : sql``}
        FROM leaderboard_entries AS entry
        WHERE ${isEntryOf(sql`found`, sql`sent.player_id`)}
        OFFSET 0
      ) AS entry ON true
      ${has_rules ? joinRules : sql``}
    )${is_improving ? improveEntries(database, updated_at) : sql``}
    SELECT board, place, entry_number, score, player_name, metadata,
      CASE WHEN NOT is_better THEN updated_at END AS reached_at, is_better
      ${has_rules ? sql`, ${ruleNames}` : sql``}
      ${
        is_improving
          ? sql`, CASE WHEN is_better THEN first_seq + place END AS stored_seq, is_followed
            FROM player LEFT JOIN raised USING (board)`
          : sql`, NULL::bigint AS stored_seq, NULL::boolean AS is_followed FROM player`
      }`);

  const boards: FoundBoard[] = seasons.map(() => 'overtaken');
  for (const row of rows) {
    const { board, place, is_better, stored_seq, is_followed } = row;
    if (boards[board] === 'overtaken') boards[board] = { players: [], is_followed };
    const found = boards[board]!;
    if (place === null || found === 'locked') continue;
    if (is_better && stored_seq === null) boards[board] = 'locked';
    else found.players[place] = { ...toState(row), stored_seq };
  }
  const log = database.formFor({ plain: null, cluster: logImproved });
  await log?.(database, seasons, boards);
  return boards;
}

/**
 * The part of the statement that stores better scores. On a cluster, the changes are logged by a statement of
 * their own: with an insertion, this statement would not run as a whole on the node of the group.
 */
const improveEntries = (
  database: Queryable,
  updated_at: string,
): Sql => sql`, improved AS MATERIALIZED (
      SELECT * FROM found
      WHERE EXISTS (SELECT FROM player WHERE player.board = found.board AND is_better)
    ), ${raisedSeasons(sql`improved`)}, changed AS MATERIALIZED (
      SELECT board, row, entry_number, sent_score AS score, first_seq + place AS seq, sent_name,
        sent_metadata
      FROM player
      JOIN raised USING (board)
      WHERE is_better
    ), stored AS (
      UPDATE leaderboard_entries AS entry
      SET score = changed.score, seq = changed.seq, updated_at = ${updated_at},
        player_name = coalesce(sent_name, entry.player_name),
        metadata = coalesce(sent_metadata, entry.metadata)
      FROM changed
      -- The season's lock keeps the row where it was found.
      WHERE entry.ctid = changed.row
    )${database.formFor({ plain: sql`, ${loggedChanges()}`, cluster: sql`` })}`;

const ruleNames = sql`tie_value, waiting_tie_value, waiting_score, waiting_seq, waiting_name, waiting_metadata,
        waiting_reached_at, counted_ms, is_banned`;

const ruleColumns = sql`waiting.*, counted_ms, ban.game_id IS NOT NULL AS is_banned,`;

const LEDGER_KEY = sql`(submit.game_id, submit.environment, submit.player_id, submit.board_name)`;

/** The part of the statement that reads what rules need to know. */
const joinRules = sql`
      LEFT JOIN LATERAL (
        SELECT score AS waiting_score, seq AS waiting_seq, player_name AS waiting_name,
          metadata AS waiting_metadata, reached_at AS waiting_reached_at,
          tie_value AS waiting_tie_value
        FROM leaderboard_held_scores AS held
        WHERE found.has_waiting AND held.game_id = found.game_id
          AND held.environment = found.environment AND held.board_name = found.board_name
          AND held.season = found.season AND held.player_id = sent.player_id AND state = 'waiting'
        OFFSET 0
      ) AS waiting ON true
      LEFT JOIN LATERAL (
        SELECT counted_ms
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
      ) AS ban ON true`;

function toState(row: Row): PlayerState {
  const { entry_number, score, player_name, metadata, waiting_score, counted_ms } = row;
  const tie_value = row.tie_value ?? null;
  // The time of an improved entry is not needed: its board has no rules.
  const reached_at = row.reached_at ?? '';
  return {
    entry:
      entry_number === null
        ? null
        : { entry_number, score, tie_value, player_name, metadata, reached_at },
    waiting:
      waiting_score === null || waiting_score === undefined
        ? null
        : {
            score: waiting_score,
            tie_value: row.waiting_tie_value ?? null,
            seq: row.waiting_seq!,
            player_name: row.waiting_name!,
            metadata: row.waiting_metadata!,
            reached_at: row.waiting_reached_at!,
          },
    counted_ms: counted_ms ?? null,
    is_banned: row.is_banned ?? false,
    stored_keys: null,
  };
}

async function logImproved(
  tx: Queryable,
  seasons: readonly SeasonSubmits[],
  boards: readonly FoundBoard[],
): Promise<void> {
  const logged = seasons.flatMap(({ season, version, next_version, players }, board) => {
    const found = boards[board]!;
    if (found === 'overtaken' || found === 'locked' || !found.is_followed) return [];
    const entries = found.players.flatMap(({ entry, stored_seq }, place): EntryChange[] =>
      stored_seq === null ? [] : [[entry!.entry_number, players[place]!.best.score, stored_seq]],
    );
    return [{ ...season, version: next_version, previous_version: version, entries }];
  });
  if (logged.length > 0) await insertChanges(tx, logged);
}
