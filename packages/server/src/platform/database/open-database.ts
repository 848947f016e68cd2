import pg from 'pg';
import { parseJsonText } from '../json/parse-json.ts';
import { lowerPriority } from '../low-priority.ts';
import { CLUSTER_SETTINGS } from './cluster/citus.ts';
import type { Database, Queryable } from './database.ts';
import { connectionsOf, inOneGroup } from './game-groups.ts';
import type { Connections, GroupedDatabase, Run } from './game-groups.ts';
import { connectionsIn } from './group-connections.ts';
import { schemaOf } from './group-directory.ts';
import type { GroupDirectory } from './group-directory.ts';
import { startLoad } from './group-load.ts';
import { inGroups } from './grouped-database.ts';
import type { Sql } from './sql.ts';
import { readTimestamp, writeArray } from './sql.ts';

const { Pool, Query, types } = pg;

/** The address of PostgreSQL: a `url`, or the parts of the address of the embedded PostgreSQL. */
export type ConnectionSettings =
  | { url: string }
  | { host: string; port: number; user: string; password: string; database: string };

interface DatabaseOptions {
  max_connections: number;
  /** Keeps statements prepared. For hot paths, whose statements are few and have fixed texts. */
  prepare?: boolean;
  statement_timeout_ms?: number;
  /**
   * The maximum age of a connection. Older connections are replaced, so that no
   * session keeps its memory for ever.
   */
  max_lifetime_s?: number;
  application_name: string;
  /** Settings of PostgreSQL for its sessions, such as `{ work_mem: '64MB' }`. */
  settings?: Record<string, string>;
  /**
   * Lowers the priority of the PostgreSQL process of each connection, so that the statements wait for the
   * processor instead of others. This is possible only if PostgreSQL is embedded.
   */
  low_priority?: boolean;
  /** The groups of games. Default: one group with all games. */
  groups?: GroupDirectory;
  /** Called when an idle connection is lost. The pool opens another one by itself. */
  onError?: (error: Error) => void;
}

/** Returns the number of the PostgreSQL process of a connection. The types of the driver do not know it. */
export const processOf = (client: pg.PoolClient): number =>
  (client as unknown as { processID: number }).processID;

const statementNames = new Map<string, string>();

/** Returns the name of a statement, which is the same in all connections of this process. */
function nameOf(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `ow_${statementNames.size}`;
    statementNames.set(text, name);
  }
  return name;
}

/** Converts timestamps to the form in which the API sends them, counts and ids to numbers, dates to text. */
const parsers = new Map<number, (text: string) => unknown>([
  [types.builtins.TIMESTAMPTZ, readTimestamp],
  [types.builtins.INT8, Number],
  [types.builtins.DATE, String],
  [types.builtins.JSON, (text) => parseJsonText(text)],
  [types.builtins.JSONB, (text) => parseJsonText(text)],
]);
const typeParsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || types.getTypeParser(oid, format as 'text'),
};

/** @param name_suffix The end of the names of prepared statements; null if statements are not prepared. */
function queryable(run: Run, name_suffix: string | null, is_spread: boolean): Queryable {
  const send = <Answer>({ text, values }: Sql, read: (result: pg.QueryResult) => Answer) => {
    // The driver would copy the properties of a plain object one by one, which takes 4 µs. It does not copy a
    // `Query`.
    const query = new Query(text, values.map(writeArray));
    if (name_suffix !== null) Object.assign(query, { name: nameOf(text) + name_suffix });
    return new Promise<Answer>((resolve, reject) => {
      run(query, (error, result) => (error ? reject(error) : resolve(read(result))));
    });
  };
  return {
    query: <Row extends object>(statement: Sql) => send(statement, ({ rows }) => rows as Row[]),
    queryOne: <Row extends object>(statement: Sql) =>
      send(statement, ({ rows }) => (rows[0] ?? null) as Row | null),
    execute: (statement) => send(statement, ({ rowCount }) => rowCount ?? 0),
    formFor: ({ plain, cluster }) => (is_spread ? cluster : plain),
  };
}

/**
 * PostgreSQL would plan a prepared statement over `unnest` anew at each call. With these
 * settings it plans the statement once, often while tables are still empty. Such a plan could
 * read whole tables ever after, so all plans have to use indexes. Every hot look-up has an
 * index. Compiling (jit) costs more than these statements.
 */
const HOT_SETTINGS = [
  '-c plan_cache_mode=force_generic_plan',
  '-c enable_seqscan=off',
  '-c jit=off',
];

/**
 * After this time a connection that nobody used is closed. Opening one takes several milliseconds of CPU. If
 * idle connections closed within seconds, many would open at once at the next peak, and all requests would wait.
 */
const IDLE_CONNECTION_MS = 600_000;
/** A firewall may forget a connection that is idle for some minutes, so the system sends something sooner. */
const KEEP_ALIVE_MS = 30_000;

/** The driver lets `?options=` in a URL replace our options, which decide the form of timestamps. */
function withoutOptions(text: string): string {
  const url = new URL(text);
  url.searchParams.delete('options');
  return url.href;
}

/** Opens a pool. It connects when a statement needs it, so opening succeeds even while PostgreSQL is down. */
export function openDatabase(
  settings: ConnectionSettings,
  options: DatabaseOptions,
): GroupedDatabase {
  const prepare = options.prepare ?? false;
  const { is_spread = false } = options.groups ?? {};
  const hot_settings = prepare ? HOT_SETTINGS : [];
  const session = [
    '-c TimeZone=UTC',
    `-c statement_timeout=${options.statement_timeout_ms ?? 30_000}`,
    '-c idle_in_transaction_session_timeout=60000',
    ...(is_spread ? CLUSTER_SETTINGS : hot_settings),
    ...Object.entries(options.settings ?? {}).map(([name, value]) => `-c ${name}=${value}`),
  ];
  const pool = new Pool({
    ...('url' in settings ? { connectionString: withoutOptions(settings.url) } : settings),
    max: options.max_connections,
    application_name: options.application_name,
    options: session.join(' '),
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    maxLifetimeSeconds: options.max_lifetime_s ?? 0,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: typeParsers as pg.CustomTypesConfig,
  });
  let closing = false;
  pool.on('error', (error) => {
    // The driver attaches the whole connection to the error, and secrets of
    // the connection must not reach a log.
    if ('client' in error) delete error.client;
    // A connection that is being closed may still report that PostgreSQL stops.
    if (!closing) options.onError?.(error);
  });
  pool.on('connect', (client) => {
    // A lost connection fails the statement that uses it. Without a listener the error would end the process.
    client.on('error', () => undefined);
    if (options.low_priority && !('url' in settings)) lowerPriority(processOf(client));
  });

  const load = {
    get open() {
      return pool.totalCount;
    },
    get waiting() {
      return pool.waitingCount;
    },
  };
  const close = () => {
    closing = true;
    return pool.end();
  };

  const databaseOn = (connections: Connections): Database => {
    const suffix = prepare ? connections.name_suffix : null;
    return {
      ...queryable(connections.run, suffix, is_spread),
      async transaction(work) {
        const client = await connections.take();
        let broken: Error | undefined;
        try {
          await client.query('BEGIN');
          const result = await work(queryable(connections.runOn(client), suffix, is_spread));
          const { command } = await client.query('COMMIT');
          if (command !== 'COMMIT') throw new Error(`COMMIT was answered by ${command}`);
          return result;
        } catch (error) {
          await client.query('ROLLBACK').catch((rollbackError: Error) => {
            broken = rollbackError;
          });
          throw error;
        } finally {
          client.release(broken);
        }
      },
      runAtomically(work) {
        return is_spread ? this.transaction(work) : work(this);
      },
      connect: connections.lend,
      load,
      close,
    };
  };

  const { groups } = options;
  if (groups === undefined || groups.count === 1) {
    return inOneGroup(databaseOn(connectionsOf(pool)));
  }
  const group_loads = Array.from({ length: groups.count }, startLoad);
  return inGroups(
    databaseOn(connectionsIn(pool, 'public', '_installation', startLoad())),
    group_loads.map((its_load, group) => {
      const schema = schemaOf(group);
      return databaseOn(connectionsIn(pool, `${schema}, public`, `_${schema}`, its_load));
    }),
    groups,
    group_loads,
  );
}
