import { RESTORATION_DAYS } from '@overworld/contract/restorations/restoration-limits';
import type { Database, Queryable } from '../database/database.ts';
import { names, sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';
import { isOfTenant } from '../players/player-key.ts';
import type { Tenant } from '../players/player-key.ts';
import { isOfRestoration, sharedColumns } from './restoration.ts';
import type { RestorationKey, RestorationRow } from './restoration.ts';

/** After this time without a step, another server goes on with a restoration. */
const STEP_SECONDS = 30;
export const leaseEnd = sql`now() + ${STEP_SECONDS}::integer * interval '1 second'`;

/** The most items that a step forgets. */
const FORGOTTEN_ITEMS = 2_000;

const isActive = sql`state IN ('counting', 'running', 'undoing', 'deleting')`;

/** The tables of restorations of one kind. */
interface RestorationTables {
  /** The table of the restorations, with the columns of `RestorationRow` and `next_step_at`. */
  table: string;
  /** The table of what they have found, with the key of the restoration. */
  items: string;
  /** The columns of the key of an item in its restoration. */
  item_key: readonly string[];
  /** The columns of `table` that other kinds do not have. */
  own_columns: readonly string[];
}

export type RestorationStore<Row extends RestorationRow> = ReturnType<
  typeof createRestorationStore<Row>
>;

/** Makes the statements about restorations of one kind. */
export function createRestorationStore<Row extends RestorationRow>(tables: RestorationTables) {
  const table = names([tables.table]);
  const items = names([tables.items]);
  const item_key = names(tables.item_key);
  const columns = sql`${sharedColumns}, ${names(tables.own_columns)}`;

  /** Finds a restoration that is not being deleted. @param lock The lock on its row; none by default. */
  const find = (database: Queryable, key: RestorationKey, lock: Sql = sql``) =>
    database.queryOne<Row>(sql`
      SELECT ${columns} FROM ${table}
      WHERE ${isOfRestoration(key)} AND state <> 'deleting' ${lock}`);

  return {
    find,

    /** Stores a new restoration, for which servers are to look. */
    async insert(
      tx: Queryable,
      { game_id, environment, restoration_id }: RestorationKey,
      question: Row['question'],
      created_by: string | null,
    ): Promise<Row> {
      const now = new Date().toISOString();
      const row = await tx.queryOne<Row>(sql`
        INSERT INTO ${table}
          (game_id, environment, restoration_id, question, created_by, created_at, next_step_at)
        VALUES (${game_id}, ${environment}, ${restoration_id}, ${JSON.stringify(question)}::jsonb,
                ${created_by}, ${now}, ${now})
        RETURNING ${columns}`);
      return row!;
    },

    /** Lists the restorations of an environment, the newest first. */
    list: (database: Queryable, tenant: Tenant): Promise<Row[]> =>
      database.query<Row>(sql`
        SELECT ${columns} FROM ${table}
        WHERE ${isOfTenant(tenant)} AND state <> 'deleting'
        ORDER BY created_at DESC, restoration_id`),

    /**
     * Changes the state of a restoration, and wakes the servers.
     * @param more SQL that sets more columns; it begins with a comma.
     */
    async changeState(
      tx: Queryable,
      key: RestorationKey,
      state: RestorationRow['state'],
      { problem = null, more = sql`` }: { problem?: string | null; more?: Sql } = {},
    ): Promise<Row> {
      // A cluster takes no time of the database within CASE or COALESCE.
      const now = new Date().toISOString();
      const row = await tx.queryOne<Row>(sql`
        UPDATE ${table}
        SET state = ${state}, problem = ${problem}, next_step_at = now(),
            started_at = CASE WHEN ${state}::text = 'running'
                              THEN COALESCE(started_at, ${now}::timestamptz) ELSE started_at END,
            undo_begun_at = CASE WHEN ${state}::text = 'undoing'
                                 THEN COALESCE(undo_begun_at, ${now}::timestamptz) ELSE undo_begun_at END
            ${more}
        WHERE ${isOfRestoration(key)}
        RETURNING ${columns}`);
      return row!;
    },

    /** Ends the work of a restoration that is running or being undone. */
    finish: (tx: Queryable, row: RestorationRow): Promise<number> =>
      tx.execute(sql`
        UPDATE ${table}
        SET ${
          row.state === 'running'
            ? sql`state = 'done', ended_at = now()`
            : sql`state = 'undone', undone_at = now()`
        }
        WHERE ${isOfRestoration(row)}`),

    /** Pauses a restoration because of a problem. */
    pause: (tx: Queryable, key: RestorationKey, problem: string): Promise<number> =>
      tx.execute(sql`
        UPDATE ${table} SET state = 'paused', problem = ${problem} WHERE ${isOfRestoration(key)}`),

    /**
     * Takes a restoration of the game in this group that has waited longest since its last turn: a game may have
     * many restorations, and each of its turns would delay those of all others. Another server may take it after
     * half a minute.
     */
    claim: (group: Database): Promise<Row | null> =>
      group.queryOne<Row>(sql`
        UPDATE ${table} SET next_step_at = ${leaseEnd}
        WHERE (game_id, environment, restoration_id) IN (
          SELECT game_id, environment, restoration_id FROM ${table} AS due
          WHERE ${isActive} AND next_step_at <= now()
          ORDER BY (
              SELECT max(next_step_at) FROM ${table} AS of_game
              WHERE of_game.game_id = due.game_id AND ${isActive}
            ), next_step_at
          LIMIT 1
          FOR UPDATE SKIP LOCKED
        )
        RETURNING ${columns}`),

    /** Lets any server go on with a restoration at once. */
    release: (database: Queryable, key: RestorationKey): Promise<number> =>
      database.execute(sql`
        UPDATE ${table} SET next_step_at = now() WHERE ${isOfRestoration(key)}`),

    /** Begins to forget the restorations that are too old. */
    forgetOld: (group: Queryable): Promise<number> =>
      group.execute(sql`
        UPDATE ${table} SET state = 'deleting', next_step_at = now()
        WHERE created_at < now() - ${RESTORATION_DAYS}::integer * interval '1 day'
          AND state NOT IN ('running', 'undoing', 'deleting')`),

    /** Forgets the next items of a restoration that is being deleted, and at last the restoration. */
    forgetNext: (group: Database, key: RestorationKey): Promise<boolean> =>
      group.transaction(async (tx) => {
        const deleted = await tx.execute(sql`
          SELECT FROM ${table} WHERE ${isOfRestoration(key)} AND state = 'deleting' FOR UPDATE`);
        if (deleted === 0) return false;
        const forgotten = await tx.execute(sql`
          DELETE FROM ${items}
          WHERE ${isOfRestoration(key)} AND (${item_key}) IN (
            SELECT ${item_key} FROM ${items} WHERE ${isOfRestoration(key)}
            LIMIT ${FORGOTTEN_ITEMS})`);
        if (forgotten > 0) {
          await tx.execute(sql`
            UPDATE ${table} SET next_step_at = ${leaseEnd} WHERE ${isOfRestoration(key)}`);
          return true;
        }
        await tx.execute(sql`DELETE FROM ${table} WHERE ${isOfRestoration(key)}`);
        return false;
      }),
  };
}
