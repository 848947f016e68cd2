import { MAX_WAITING_OF_PLAYER } from '@overworld/contract/leaderboards/quarantine';
import type { HoldReason } from '@overworld/contract/leaderboards/rules';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../../platform/players/player-key.ts';
import type { LedgerRow } from '../submits/decide-submits.ts';
import { ofSeason } from '../store.ts';
import type { SeasonKey } from '../store.ts';

/** A score that waits for a decision. */
export interface WaitingRow {
  player_id: string;
  player_name: string | null;
  score: number;
  seq: number;
  /** JSON text. */
  metadata: string | null;
  score_before: number | null;
  rule: HoldReason;
  /** The reason that a member gave for hiding the score; null if a rule hid the score. */
  reason: string | null;
  submitted_at: string;
  key_id: string | null;
  is_verified: boolean | null;
  network: string | null;
}

const waitingColumns = sql`player_id, player_name, score, seq, metadata, score_before, rule,
  CASE rule WHEN 'by_hand' THEN (
    SELECT reason FROM leaderboard_decisions AS decision
    WHERE decision.game_id = held.game_id AND decision.environment = held.environment
      AND decision.decision_id = held.quarantined_by) END AS reason,
  reached_at AS submitted_at, key_id, is_verified, network`;

/**
 * Lists the waiting scores of a season in the order of their `seq`. Lists only those with a `seq` above
 * `after`.
 */
export async function listWaiting(
  database: Queryable,
  season: SeasonKey,
  after: number | null,
  limit: number,
): Promise<WaitingRow[]> {
  return database.query(sql`
    SELECT ${waitingColumns} FROM leaderboard_held_scores AS held
    WHERE ${ofSeason(season)} AND state = 'waiting' AND seq > ${after ?? 0}
    ORDER BY seq
    LIMIT ${limit}`);
}

/** Lists the waiting scores of a player on all boards, the newest first. */
export async function listWaitingOf(
  database: Database,
  player: PlayerKey,
): Promise<(WaitingRow & { board_name: string; season: number })[]> {
  return database.query(sql`
    SELECT board_name, season, ${waitingColumns} FROM leaderboard_held_scores AS held
    WHERE ${isOfPlayer(player)} AND state = 'waiting'
    ORDER BY reached_at DESC, board_name, season
    LIMIT ${MAX_WAITING_OF_PLAYER}`);
}

/** Counts the waiting scores of a season. */
export async function countWaiting(database: Queryable, season: SeasonKey): Promise<number> {
  const counts = await countWaitingByBoard(database, season, [season]);
  return counts.get(season.board_name)!;
}

/** Counts the waiting scores of each of these seasons. @returns the counts by board. */
export async function countWaitingByBoard(
  database: Queryable,
  { game_id, environment }: Tenant,
  seasons: readonly { board_name: string; season: number }[],
): Promise<Map<string, number>> {
  const asked = rowsAs('asked', seasons, { board_name: 'text', season: 'integer' });
  const rows = await database.query<{ board_name: string; count: number }>(sql`
    SELECT asked.board_name, waiting.count
    FROM ${asked}
    CROSS JOIN LATERAL (
      SELECT count(*) FROM leaderboard_held_scores AS held
      WHERE held.game_id = ${game_id} AND held.environment = ${environment}
        AND held.board_name = asked.board_name AND held.season = asked.season
        AND state = 'waiting'
    ) AS waiting`);
  return new Map(rows.map(({ board_name, count }) => [board_name, count]));
}

/** A row of the ledger, which records submits. `version` and `place` are the row's position in it. */
interface SubmitRow extends Omit<LedgerRow, 'player_id' | 'counted_ms'> {
  season: number;
  submitted_at: string;
  version: number;
  place: number;
}

/**
 * Lists a player's submits to a board, newest first. With `before`, lists only those before that position.
 */
export async function listSubmits(
  database: Queryable,
  player: PlayerKey,
  board_name: string,
  before: { version: number; place: number } | null,
  limit: number,
): Promise<SubmitRow[]> {
  return database.query(sql`
    SELECT season, score, score_before, outcome, rule, submitted_at, key_id, is_verified, network,
      version, place
    FROM leaderboard_submits
    WHERE ${isOfPlayer(player)} AND board_name = ${board_name}
      AND (${before === null}
        OR (version, place) < (${before?.version}::bigint, ${before?.place}::integer))
    ORDER BY version DESC, place DESC
    LIMIT ${limit}`);
}
