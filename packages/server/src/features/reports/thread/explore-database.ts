import { EXPLORE_TIMEOUT_S } from '@overworld/contract/analytics/event-conditions';
import pg from 'pg';
import { copyOut } from '../../../platform/database/copy-out.ts';
import type { CopiedRow } from '../../../platform/database/copy-out.ts';
import type { Database } from '../../../platform/database/database.ts';
import { openDatabase, processOf } from '../../../platform/database/open-database.ts';
import type { ConnectionSettings } from '../../../platform/database/open-database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { createKeptSets } from '../scan/kept-sets.ts';
import type { KeptSets } from '../scan/kept-sets.ts';
import { createChunkCache } from '../scan/chunk-cache.ts';
import type { ChunkCache } from '../scan/chunk-cache.ts';
import type { SealedEvents } from '../scan/event-columns.ts';
import { createSealedEvents } from '../sealed/reader.ts';
import type { UnreadableDay } from '../sealed/unreadable.ts';
import { restByLoad } from './server-load.ts';
import type { SharedLoad } from './server-load.ts';
import { UNWATCHED } from './work-progress.ts';
import type { WorkProgress } from './work-progress.ts';

/**
 * The database of one game, for a report. Its statements can be stopped, and pause while the server is busy.
 */
export interface ExploreDatabase {
  /**
   * Returns all rows of the answer.
   * @throws when the signal stops the statement, which is then stopped in PostgreSQL too.
   */
  query<Row extends object>(statement: Sql, signal: AbortSignal): Promise<Row[]>;
  /**
   * Calls `onRow` with each row, for answers that are too large to be held in memory.
   * @returns the milliseconds that the statement took, without the pause after it.
   */
  each<Row extends object>(
    statement: Sql,
    onRow: (row: Row) => void,
    signal: AbortSignal,
  ): Promise<number>;
  /** Returns all rows of the answer, each with its values in PostgreSQL's binary form. */
  copy(statement: Sql, signal: AbortSignal): Promise<CopiedRow[]>;
  /** The work of the report. */
  readonly progress: WorkProgress;
  /** A cache of the events that reports have read lately. */
  readonly chunk_cache: ChunkCache;
  /** The sealed events of games. */
  readonly sealed: SealedEvents;
  /** A cache of the players of segments whose pages are being read. */
  readonly kept_sets: KeptSets;
}

/**
 * Two reports, with two connections each, run at the same time as two parts of exports, with one connection
 * each.
 */
const MAX_CONNECTIONS = 6;
/** After this time PostgreSQL itself stops a statement, in case this process has died and cannot stop it. */
const STATEMENT_TIMEOUT_MS = EXPLORE_TIMEOUT_S * 1_000;

const SETTINGS = {
  // Workers of parallel queries would not have the low priority of their connection.
  max_parallel_workers_per_gather: '0',
  work_mem: '32MB',
  default_transaction_read_only: 'on',
  // Scans expect packed events in this format, but the database may be set to another format.
  bytea_output: 'hex',
};

export interface ThreadOptions {
  connection: ConnectionSettings;
  /** The number of tenant groups, into which all games are divided. */
  group_count: number;
  /** The load of the threads that answer requests from games. */
  load: SharedLoad;
}

export function openExplorePool(
  options: ThreadOptions,
  onUnreadable?: (day: UnreadableDay) => void,
) {
  const { connection, group_count, load } = options;
  const database = openDatabase(connection, {
    application_name: 'overworld-explore',
    max_connections: MAX_CONNECTIONS,
    statement_timeout_ms: STATEMENT_TIMEOUT_MS,
    settings: SETTINGS,
    low_priority: true,
    groups: { count: group_count, known: new Map() },
  });
  // Statements are stopped over a connection outside the pool, because they may occupy the whole pool.
  const control = openDatabase(connection, {
    application_name: 'overworld-explore-control',
    max_connections: 1,
  });

  /** @param send Sends a statement, and waits for its end. */
  const run = async (
    game: Database,
    send: (client: pg.PoolClient) => Promise<void>,
    signal: AbortSignal,
  ) => {
    signal.throwIfAborted();
    const client = await game.connect();
    const pid = processOf(client);
    const started_ms = performance.now();
    let stopping: Promise<unknown> | undefined;
    const stop = () => {
      stopping = control.execute(sql`SELECT pg_cancel_backend(${pid}::integer)`).catch(() => null);
    };
    signal.addEventListener('abort', stop);
    try {
      signal.throwIfAborted();
      await send(client);
      signal.throwIfAborted();
    } finally {
      signal.removeEventListener('abort', stop);
      await stopping;
      // A cancellation that arrives late would stop the next statement, so the connection is closed.
      client.release(stopping !== undefined);
    }
    const took_ms = performance.now() - started_ms;
    await restByLoad(took_ms, load, signal);
    return took_ms;
  };

  const each = <Row extends object>(
    game: Database,
    { text, values }: Sql,
    onRow: (row: Row) => void,
    signal: AbortSignal,
  ) => {
    const send = (client: pg.PoolClient) => {
      // For a query with a `row` listener, `pg` does not gather the rows in memory.
      const query = new pg.Query<Row>({ text, values: values as unknown[] });
      query.on('row', onRow);
      return new Promise<void>((resolve, reject) => {
        query.on('end', () => resolve());
        query.on('error', reject);
        client.query(query as never);
      });
    };
    return run(game, send, signal);
  };

  const chunk_cache = createChunkCache();
  const kept_sets = createKeptSets();
  const sealed = createSealedEvents(onUnreadable);
  return {
    ofGame(game_id: string): ExploreDatabase {
      const game = database.ofGame(game_id);
      return {
        each: (statement, onRow, signal) => each(game, statement, onRow, signal),
        progress: UNWATCHED,
        chunk_cache,
        kept_sets,
        sealed,
        async query<Row extends object>(statement: Sql, signal: AbortSignal) {
          const rows: Row[] = [];
          await each<Row>(game, statement, (row) => rows.push(row), signal);
          return rows;
        },
        async copy(statement, signal) {
          const rows: CopiedRow[] = [];
          await run(game, (client) => copyOut(client, statement, (row) => rows.push(row)), signal);
          return rows;
        },
      };
    },
    async close() {
      await Promise.all([database.close(), control.close()]);
    },
  };
}

/** A small pool of connections with low priority. */
export type ExplorePool = ReturnType<typeof openExplorePool>;
