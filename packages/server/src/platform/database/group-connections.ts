import type pg from 'pg';
import { restoreState } from './cluster/copy-errors.ts';
import { countStatement } from './group-load.ts';
import type { GroupLoad } from './group-load.ts';
import { runOn } from './game-groups.ts';
import type { Connections, Run } from './game-groups.ts';

/** The search path that was last set for a session; none if the session was lent for any use since then. */
const searchPaths = new WeakMap<pg.PoolClient, string>();

/** The names of the prepared statements of a session. */
const preparedNames = new WeakMap<pg.PoolClient, Set<string>>();
/**
 * The most prepared statements of a session. A session with more of them is replaced, because
 * each takes memory of PostgreSQL, and every group may have its own copy of each hot statement.
 */
const MAX_PREPARED = 1_000;

/**
 * Gives access to the connections of a pool with one search path, such as `group_3, public`. All groups share
 * the connections, so many groups need no more connections than one group. The path of a session is changed
 * by a statement of its own.
 * @param name_suffix Distinguishes the prepared statements of each path. PostgreSQL plans a prepared
 * statement anew when the path has changed.
 * @param load Receives the counts of the statements.
 */
export function connectionsIn(
  pool: pg.Pool,
  path: string,
  name_suffix: string,
  load: GroupLoad,
): Connections {
  const take = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect();
    if ((preparedNames.get(client)?.size ?? 0) > MAX_PREPARED) {
      client.release(true);
      return take();
    }
    if (searchPaths.get(client) === path) return client;
    searchPaths.delete(client);
    if (isInTransaction(client)) {
      // If this transaction were rolled back, the session would have its earlier path again.
      client.release(true);
      return take();
    }
    try {
      await client.query(`SET search_path = ${path}`);
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
    searchPaths.set(client, path);
    return client;
  };
  const runCounted = (client: pg.PoolClient): Run => {
    const send = runOn(client);
    return (query, onResult) => {
      notePrepared(client, query);
      const began_ms = performance.now();
      send(query, (error, result) => {
        if (error) restoreState(error);
        countStatement(load, performance.now() - began_ms, error);
        onResult(error, result);
      });
    };
  };
  return {
    run(query, onResult) {
      take().then(
        (client) =>
          runCounted(client)(query, (error, result) => {
            client.release(error);
            onResult(error, result);
          }),
        (error: Error) => onResult(error, undefined as never),
      );
    },
    take,
    async lend() {
      const client = await take();
      searchPaths.delete(client);
      return client;
    },
    runOn: runCounted,
    name_suffix,
  };
}

/** The types of the driver do not know that a query has a name. */
function notePrepared(client: pg.PoolClient, query: pg.Query): void {
  const { name } = query as { name?: string };
  if (name === undefined) return;
  const names = preparedNames.get(client);
  if (names === undefined) preparedNames.set(client, new Set([name]));
  else names.add(name);
}

/** The types of the driver lack this method. */
const isInTransaction = (client: pg.PoolClient): boolean =>
  (client as unknown as { getTransactionStatus(): string }).getTransactionStatus() !== 'I';
