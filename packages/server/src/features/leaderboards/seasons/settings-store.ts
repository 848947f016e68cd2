import type { Environment } from '@overworld/contract/common';
import type { SeasonReward } from '@overworld/contract/leaderboards/reward-fields';
import type { ResetSchedule, SortOrder } from '@overworld/contract/leaderboards/settings';
import type { Queryable } from '../../../platform/database/database.ts';
import { joinSql, names, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { RULE_COLUMNS } from '../rules.ts';
import type { BoardPolicy } from '../rules.ts';
import { nextReset } from './season-store.ts';
import type { BoardKey } from '../store.ts';

/** The settings of a board. */
export interface Settings extends Omit<BoardPolicy, 'has_bans' | 'has_waiting'> {
  order: SortOrder;
  reset_schedule: ResetSchedule;
  min_score: number | null;
  max_score: number | null;
  season_rewards: SeasonReward[];
  ledger_days: number;
}

export interface StoredSettings extends Settings {
  board_name: string;
  created_at: string;
  updated_at: string;
}

/** A board with its current season in one environment. */
export interface Board extends StoredSettings {
  season: number;
  total_entries: number;
  started_at: string | null;
  ends_at: string | null;
}

const settingColumns = sql`leaderboards.board_name, leaderboards.sort_order AS order,
  leaderboards.keeps, leaderboards.tie_break, reset_schedule, min_score, max_score, season_rewards,
  ${names(RULE_COLUMNS)}, ledger_days,
  leaderboards.created_at, leaderboards.updated_at`;

async function listWhere(
  database: Queryable,
  conditions: readonly Sql[],
  environment: Environment,
  limit: number,
  now: Date,
): Promise<Board[]> {
  // If the schedule has ended the last season, the next season begins only with its first score.
  return database.query(sql`
    SELECT ${settingColumns},
      coalesce(last.season, 0) + CASE WHEN last.is_current THEN 0 ELSE 1 END AS season,
      CASE WHEN last.is_current THEN total_entries ELSE 0 END AS total_entries,
      CASE WHEN last.is_current THEN started_at ELSE last.ends_at END AS started_at,
      CASE WHEN last.is_current THEN last.ends_at
           ELSE ${nextReset(sql`reset_schedule`, now)} END AS ends_at
    FROM leaderboards
    JOIN games ON games.id = leaderboards.game_id
    LEFT JOIN LATERAL (
      SELECT season, total_entries, started_at, ends_at,
        ends_at IS NULL OR ends_at > ${now} AS is_current
      FROM leaderboard_seasons
      WHERE leaderboard_seasons.game_id = leaderboards.game_id AND environment = ${environment}
        AND leaderboard_seasons.board_name = leaderboards.board_name
      ORDER BY season DESC
      LIMIT 1
    ) AS last ON true
    WHERE ${joinSql(conditions, ' AND ')}
    ORDER BY leaderboards.board_name
    LIMIT ${limit}`);
}

/** Lists the settings of all boards of a game in the order of their names. */
export const listSettings = (database: Queryable, game_id: string): Promise<StoredSettings[]> =>
  database.query(sql`
    SELECT ${settingColumns} FROM leaderboards
    WHERE game_id = ${game_id}
    ORDER BY leaderboards.board_name`);

/** Lists the boards of a game in the order of their names, beginning after the name `after`. */
export async function listBoards(
  database: Queryable,
  { game_id, environment }: { game_id: string; environment: Environment },
  after: string | null,
  limit: number,
  now: Date,
): Promise<Board[]> {
  const conditions = [sql`leaderboards.game_id = ${game_id}`];
  if (after !== null) conditions.push(sql`leaderboards.board_name > ${after}`);
  return listWhere(database, conditions, environment, limit, now);
}

export async function findBoard(
  database: Queryable,
  { game_id, environment, board_name }: BoardKey,
  now: Date,
): Promise<Board | null> {
  const conditions = [
    sql`leaderboards.game_id = ${game_id}`,
    sql`leaderboards.board_name = ${board_name}`,
  ];
  const [board] = await listWhere(database, conditions, environment, 1, now);
  return board ?? null;
}

export async function updateSettings(
  tx: Queryable,
  game_id: string,
  board_name: string,
  settings: Settings,
): Promise<StoredSettings> {
  const { order, reset_schedule, min_score, max_score } = settings;
  const row = await tx.queryOne<StoredSettings>(sql`
    UPDATE leaderboards
    SET sort_order = ${order}, keeps = ${settings.keeps}, tie_break = ${settings.tie_break},
      reset_schedule = ${reset_schedule}, min_score = ${min_score},
      max_score = ${max_score}, season_rewards = ${JSON.stringify(settings.season_rewards)}::json,
      ${joinSql(
        RULE_COLUMNS.map((column) => sql`${names([column])} = ${settings[column]}`),
        ', ',
      )},
      ledger_days = ${settings.ledger_days}, updated_at = now()
    WHERE game_id = ${game_id} AND board_name = ${board_name}
    RETURNING ${settingColumns}`);
  return row!;
}

/** Deletes a board in both environments. The rows that submits lock are deleted first. */
export async function deleteBoardRows(
  tx: Queryable,
  game_id: string,
  board_name: string,
): Promise<void> {
  // Deleting a million entries takes some 3 s.
  await tx.execute(sql`SET LOCAL statement_timeout = '10min'`);
  const tables = [
    sql`leaderboard_seasons`,
    sql`leaderboard_entries`,
    sql`leaderboard_changes`,
    sql`leaderboard_submits`,
    sql`leaderboard_submit_keys`,
    sql`leaderboard_held_scores`,
    sql`leaderboard_reward_runs`,
    sql`leaderboard_rewarded_players`,
    sql`leaderboard_decisions`,
  ];
  for (const table of tables) {
    await tx.execute(sql`
      DELETE FROM ${table}
      WHERE game_id = ${game_id} AND environment = ANY(enum_range(NULL::environment))
        AND board_name = ${board_name}`);
  }
  await tx.execute(sql`
    DELETE FROM leaderboards WHERE game_id = ${game_id} AND board_name = ${board_name}`);
}
