import { MAX_EXAMPLES, RESTORATION_DAYS } from '@overworld/contract/saves/restoration-limits';
import type { RestorationQuestion, SaveToRestore } from '@overworld/contract/saves/restorations';
import type { PlayedOnChoice } from '@overworld/contract/saves/restoration-limits';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { isOfRestoration } from './restoration.ts';
import type { Restoration, RestorationKey } from './restoration.ts';

const columns = sql`
  game_id, environment, restoration_id, state, question, played_on, problem, created_by, created_at,
  counted_at, started_at, ended_at, undo_begun_at, undone_at, after_player_id, saves_to_count,
  counted_saves, counted_players, player_count, save_count, played_on_count, hopeless_count,
  restored_count, skipped_count, undone_count, kept_count`;

/** After this time without a step, another server goes on with a restoration. */
const STEP_SECONDS = 30;
export const leaseEnd = sql`now() + ${STEP_SECONDS}::integer * interval '1 second'`;

/** Stores a new restoration, whose saves are to be counted. */
export async function insertRestoration(
  tx: Queryable,
  { game_id, environment, restoration_id }: RestorationKey,
  question: RestorationQuestion,
  created_by: string | null,
): Promise<Restoration> {
  const now = new Date().toISOString();
  const row = await tx.queryOne<Restoration>(sql`
    INSERT INTO save_restorations
      (game_id, environment, restoration_id, question, created_by, created_at, next_step_at)
    VALUES (${game_id}, ${environment}, ${restoration_id}, ${JSON.stringify(question)}::jsonb,
            ${created_by}, ${now}, ${now})
    RETURNING ${columns}`);
  return row!;
}

/** Lists the restorations of an environment, the newest first. */
export const listRestorations = (database: Queryable, tenant: Tenant): Promise<Restoration[]> =>
  database.query<Restoration>(sql`
    SELECT ${columns} FROM save_restorations
    WHERE ${isOfTenant(tenant)} AND state <> 'deleting'
    ORDER BY created_at DESC, restoration_id`);

/** Finds a restoration that is not being deleted. @param lock The lock on its row; none by default. */
export const findRestoration = (
  database: Queryable,
  key: RestorationKey,
  lock: Sql = sql``,
): Promise<Restoration | null> =>
  database.queryOne<Restoration>(sql`
    SELECT ${columns} FROM save_restorations
    WHERE ${isOfRestoration(key)} AND state <> 'deleting' ${lock}`);

/** Changes the state of a restoration, and wakes the servers. */
export async function changeState(
  tx: Queryable,
  key: RestorationKey,
  state: Restoration['state'],
  { problem = null, played_on }: { problem?: string | null; played_on?: PlayedOnChoice } = {},
): Promise<Restoration> {
  // A cluster takes no time of the database within CASE or COALESCE.
  const now = new Date().toISOString();
  const row = await tx.queryOne<Restoration>(sql`
    UPDATE save_restorations
    SET state = ${state}, problem = ${problem}, played_on = COALESCE(${played_on}::text, played_on),
        next_step_at = now(),
        started_at = CASE WHEN ${state}::text = 'running' THEN COALESCE(started_at, ${now}::timestamptz) ELSE started_at END,
        undo_begun_at = CASE WHEN ${state}::text = 'undoing' THEN COALESCE(undo_begun_at, ${now}::timestamptz)
                             ELSE undo_begun_at END
    WHERE ${isOfRestoration(key)}
    RETURNING ${columns}`);
  return row!;
}

/** Lists some saves of a restoration: first those of players who have not played on, each by player. */
export const listExamples = (database: Queryable, key: RestorationKey): Promise<SaveToRestore[]> =>
  database.query<SaveToRestore>(sql`
    SELECT player_id, slot, version, bad_version, app_version, good_version, has_played_on, state
    FROM restored_saves
    WHERE ${isOfRestoration(key)}
    ORDER BY good_version IS NULL, has_played_on, player_id, slot
    LIMIT ${MAX_EXAMPLES}`);

const isActive = sql`state IN ('counting', 'running', 'undoing', 'deleting')`;

/**
 * Takes a restoration of the game in this group that has waited longest since its last turn: a game may have many
 * restorations, and each of its turns would delay those of all others. Another server may take it after half a
 * minute.
 */
export const claimRestoration = (group: Database): Promise<Restoration | null> =>
  group.queryOne<Restoration>(sql`
    UPDATE save_restorations SET next_step_at = ${leaseEnd}
    WHERE (game_id, environment, restoration_id) IN (
      SELECT game_id, environment, restoration_id FROM save_restorations AS due
      WHERE ${isActive} AND next_step_at <= now()
      ORDER BY (
          SELECT max(next_step_at) FROM save_restorations AS of_game
          WHERE of_game.game_id = due.game_id AND ${isActive}
        ), next_step_at
      LIMIT 1
      FOR UPDATE SKIP LOCKED
    )
    RETURNING ${columns}`);

/** Lets any server go on with a restoration at once. */
export const releaseRestoration = (database: Queryable, key: RestorationKey): Promise<number> =>
  database.execute(sql`
    UPDATE save_restorations SET next_step_at = now() WHERE ${isOfRestoration(key)}`);

/** Begins to forget the restorations that are too old. */
export const forgetOldRestorations = (group: Queryable): Promise<number> =>
  group.execute(sql`
    UPDATE save_restorations SET state = 'deleting', next_step_at = now()
    WHERE created_at < now() - ${RESTORATION_DAYS}::integer * interval '1 day'
      AND state NOT IN ('running', 'undoing', 'deleting')`);
