import type pg from 'pg';
import type { Database } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';

/**
 * Numbers of two advisory locks. With them, at most one server at a time makes partitions, and at most one
 * drops partitions. The numbers are arbitrary.
 */
const MAKE_LOCK = 7_301_985;
const DROP_LOCK = 7_301_986;
/**
 * A statement waits at most this long for a lock on the table. While the statement waits, all later
 * readers and writers of the table wait behind it.
 */
const LOCK_TIMEOUT = '3s';
/** Partitions are made this many months before they are needed. */
const MONTHS_AHEAD = 2;

/** Makes the missing partitions of this month and the coming months. */
export const makeComingPartitions = (database: Database): Promise<void> =>
  makePartitions(
    database,
    `SELECT to_char(month, 'YYYY-MM') AS month
     FROM generate_series(date_trunc('month', now()), now() + interval '${MONTHS_AHEAD} months',
                          interval '1 month') AS month`,
  );

/**
 * Makes the partitions for the events that still wait in the inbox. These events may be from earlier
 * months.
 */
export const makeInboxPartitions = (database: Database): Promise<void> =>
  makePartitions(
    database,
    `SELECT DISTINCT to_char(received_at, 'YYYY-MM') AS month FROM event_inbox`,
  );

/** Makes the partitions for the events of a game that move into earlier months when its days move back. */
export const makeEarlierPartitions = (
  database: Database,
  game_id: string,
  days: number,
): Promise<void> =>
  makePartitions(
    database,
    `SELECT to_char(month, 'YYYY-MM') AS month
     FROM (SELECT min(received_at) AS earliest, max(received_at) AS latest
           FROM events WHERE game_id = $1) AS known,
       generate_series(date_trunc('month', earliest - make_interval(days => $2)), latest,
                       interval '1 month') AS month`,
    [game_id, days],
  );

/**
 * Drops the partitions whose events are all older than the retention. Detaches each partition concurrently
 * before the drop, so readers and writers of other months do not wait.
 */
export async function dropExpiredPartitions(
  database: Database,
  retention_days: number,
): Promise<void> {
  const detach = database.formFor({ plain: detachConcurrently, cluster: detachOnCluster });
  await withConnection(database, async (client) => {
    await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
    const { rows } = await client.query<{ locked: boolean; schema: string }>(
      'SELECT pg_try_advisory_lock($1) AS locked, current_schema() AS schema',
      [DROP_LOCK],
    );
    const { locked, schema } = rows[0]!;
    if (!locked) return;
    const expired = await listExpired(client, retention_days);
    for (const { name, attached, detach_pending, month_end } of expired) {
      await client.query(
        `UPDATE games SET events_kept_since = $1
         WHERE (events_kept_since IS NULL OR events_kept_since < $1)
           AND $2 IN ('public', 'group_' || tenant_group)`,
        [month_end, schema],
      );
      if (detach_pending) {
        await client.query(`ALTER TABLE events DETACH PARTITION ${name} FINALIZE`);
      } else if (attached) {
        await detach(client, name);
      }
      await client.query(`DROP TABLE ${name}`);
    }
    // The server ends the session, which holds the lock, only some time after the client is released. Without
    // this unlock, the server would find the lock still taken when it handles the next group of games, and
    // would not drop that group's expired partitions.
    await client.query('SELECT pg_advisory_unlock($1)', [DROP_LOCK]);
  });
}

async function detachConcurrently(client: pg.PoolClient, name: string): Promise<void> {
  await client.query(`ALTER TABLE events DETACH PARTITION ${name} CONCURRENTLY`);
}

/**
 * Citus does not support `DETACH … CONCURRENTLY`, and passes settings to its nodes only within a
 * transaction.
 */
const detachOnCluster = (client: pg.PoolClient, name: string): Promise<void> =>
  inTransaction(client, async () => {
    await client.query(`SET LOCAL citus.propagate_set_commands = 'local'`);
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query(`ALTER TABLE events DETACH PARTITION ${name}`);
  });

async function withConnection(database: Database, work: (client: pg.PoolClient) => Promise<void>) {
  const client = await database.connect();
  try {
    await work(client);
  } finally {
    // Releasing with `true` ends the session, and with it all locks and settings of the session.
    client.release(true);
  }
}

/** @param selectMonths SQL that selects months, such as `2026-03`. */
async function makePartitions(
  database: Database,
  selectMonths: string,
  values: unknown[] = [],
): Promise<void> {
  await withConnection(database, async (client) => {
    const { rows } = await client.query<{ month: string }>(selectMonths, values);
    for (const { month } of rows) await makePartition(client, month);
  });
}

/** Makes a table and then attaches it, because `PARTITION OF` would wait for all readers. */
async function makePartition(client: pg.PoolClient, month: string): Promise<void> {
  const name = partitionName(month);
  if ((await findPartition(client, name))?.attached) return;
  await client.query('BEGIN');
  await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  await client.query('SELECT pg_advisory_xact_lock($1)', [MAKE_LOCK]);
  const found = await findPartition(client, name);
  if (found === null) {
    await client.query(
      `CREATE TABLE ${name} (LIKE events INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)`,
    );
  }
  if (!found?.attached) {
    await client.query(
      `ALTER TABLE events ATTACH PARTITION ${name}
       ${partitionBound(month)}`,
    );
  }
  await client.query('COMMIT');
}

async function findPartition(client: pg.PoolClient, name: string) {
  const { rows } = await client.query<{ attached: boolean }>(
    `SELECT relispartition AS attached FROM pg_class WHERE oid = to_regclass($1)`,
    [name],
  );
  return rows[0] ?? null;
}

interface ExpiredPartition {
  name: string;
  attached: boolean;
  /** True if the server stopped after it had begun to detach the partition. */
  detach_pending: boolean;
  /** The first moment after the partition. */
  month_end: string;
}

/**
 * Lists the partitions to drop. Includes partitions that were detached but not yet dropped when a server
 * stopped.
 */
async function listExpired(
  client: pg.PoolClient,
  retention_days: number,
): Promise<ExpiredPartition[]> {
  const { rows } = await client.query<ExpiredPartition>(
    `SELECT relname AS name, relispartition AS attached,
            COALESCE(inhdetachpending, false) AS detach_pending,
            (to_date(right(relname, 7), 'YYYY_MM') + interval '1 month')::text AS month_end
     FROM pg_class
     LEFT JOIN pg_inherits ON inhrelid = pg_class.oid
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
       AND relname ~ '^events_\\d{4}_\\d{2}$'
       AND to_date(right(relname, 7), 'YYYY_MM') + interval '1 month'
           <= now() - make_interval(days => $1)
     ORDER BY relname`,
    [retention_days],
  );
  return rows;
}

/** @param month Such as `2026-03`. */
export const partitionName = (month: string) => `events_${month.replace('-', '_')}`;

/** Finds the month of a partition by its name. Returns null if no partition can have this name. */
export function monthOfPartition(name: string): string | null {
  const parts = /^events_(20\d\d)_(0[1-9]|1[0-2])$/.exec(name);
  return parts && `${parts[1]}-${parts[2]}`;
}

/** Returns the bounds of a month's partition, as SQL. */
export const partitionBound = (month: string): string =>
  `FOR VALUES FROM ('${month}-01') TO ('${nextMonth(month)}-01')`;

function nextMonth(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}
