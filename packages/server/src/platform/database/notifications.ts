import type pg from 'pg';
import type { Database, Queryable } from './database.ts';
import type { Evictions } from '../workers/counts/evictions.ts';
import { sql } from './sql.ts';

/** Callbacks of one channel. */
interface Listener {
  /** Called when this node or another node has sent a notification. */
  onNotification: (payload: string) => void;
  /** Called when the connection is lost. Notifications may be missed until `onConnected` is called. */
  onDisconnected: () => void;
  onConnected: () => void;
}

/**
 * A notification on this channel makes every listener on every node drop all its cached values. The channel
 * is for changes that do not name the changed definitions, such as the import of a game.
 */
export const RENEWAL_CHANNEL = 'overworld_renewal';

const RECONNECT_DELAY_MS = 500;
const PROBE_INTERVAL_MS = 5_000;

/**
 * Keeps one LISTEN connection open for all channels, and replaces a lost connection after half a second. A
 * cut network reports nothing, so a probe every five seconds checks that the connection still answers.
 */
export function createNotifications(
  database: Database,
  onError: (error: Error) => void,
  evictions: Evictions | null = null,
) {
  const listeners = new Map<string, Listener>();
  let client: pg.PoolClient | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const lose = (lost: pg.PoolClient, error: Error) => {
    // A lost connection reports its loss a second time when its socket ends.
    if (client !== lost || closed) return;
    client = undefined;
    clearTimeout(timer);
    lost.release(error);
    onError(error);
    for (const listener of listeners.values()) listener.onDisconnected();
    retryLater();
  };

  const probe = async (current: pg.PoolClient) => {
    const hangs = () => lose(current, new Error('The LISTEN connection does not answer'));
    const deadline = setTimeout(hangs, PROBE_INTERVAL_MS);
    try {
      await current.query('SELECT 1');
      if (current === client && !closed) probeLater(current);
    } catch (error) {
      lose(current, error as Error);
    } finally {
      clearTimeout(deadline);
    }
  };
  const probeLater = (current: pg.PoolClient) => {
    timer = setTimeout(probe, PROBE_INTERVAL_MS, current).unref();
  };

  const renewAll = () => {
    for (const listener of listeners.values()) {
      listener.onDisconnected();
      listener.onConnected();
    }
  };

  const connect = async () => {
    const opened = await database.connect();
    try {
      opened.on('error', (error) => lose(opened, error));
      opened.on('end', () => lose(opened, new Error('The LISTEN connection was closed')));
      opened.on('notification', ({ channel, payload }) => {
        if (channel === RENEWAL_CHANNEL) renewAll();
        else listeners.get(channel)?.onNotification(payload ?? '');
      });
      for (const channel of [RENEWAL_CHANNEL, ...listeners.keys()]) {
        await opened.query(`LISTEN ${channel}`);
      }
    } catch (error) {
      opened.release(error as Error);
      throw error;
    }
    if (closed) return opened.release(true);
    client = opened;
    for (const listener of listeners.values()) listener.onConnected();
    probeLater(opened);
  };

  const retryLater = () => {
    if (closed) return;
    timer = setTimeout(() => {
      connect().catch(retryLater);
    }, RECONNECT_DELAY_MS).unref();
  };

  return {
    /**
     * Evicts values from the caches of all workers of this server immediately; null if there is only one
     * worker.
     */
    evictions,
    /** Listens on a channel; call before `start`. */
    listen(channel: string, listener: Listener) {
      if (!/^[a-z_]+$/.test(channel)) throw new Error(`Not a channel name: ${channel}`);
      listeners.set(channel, listener);
    },
    start: connect,
    async close() {
      closed = true;
      clearTimeout(timer);
      client?.release(true);
      client = undefined;
    },
  };
}

export type Notifications = ReturnType<typeof createNotifications>;

/** Notifies all nodes when the transaction commits. */
export async function notify(tx: Queryable, channel: string, payload: string): Promise<void> {
  await tx.execute(sql`SELECT pg_notify(${channel}, ${payload})`);
}
