import { workerData } from 'node:worker_threads';
import { workInThread } from '../../../platform/background/work-in-thread.ts';
import type { ConnectionSettings } from '../../../platform/database/open-database.ts';
import type { RestorationKey } from './restoration.ts';
import { workOn } from './restoration-work.ts';

/** The thread of one turn of a restoration, because the data of saves take long to parse. */

export interface RestorationThreadOptions {
  connection: ConnectionSettings;
  key: RestorationKey;
  /** The ids of the players to look at; null for all. */
  segment: readonly string[] | null;
  history_bytes: number;
  turn_ms: number;
}

const { connection, key, segment, history_bytes, turn_ms } = workerData as RestorationThreadOptions;

await workInThread(
  { connection, application_name: 'overworld-restoration', max_connections: 2 },
  (database, signal) =>
    workOn(database.ofGame(key.game_id), key, {
      segment: segment && new Set(segment),
      history_bytes,
      turn_ms,
      signal,
    }),
);
