import { workerData } from 'node:worker_threads';
import { workInThread } from '../../../platform/background/work-in-thread.ts';
import type { ConnectionSettings } from '../../../platform/database/open-database.ts';
import type { RestorationKey } from '../../../platform/restorations/restoration.ts';
import { workOn } from '../../../platform/restorations/work.ts';
import { countNext } from './count-saves.ts';
import { restorationStore } from './restoration-store.ts';
import { treatNext } from './restore-saves.ts';

/** The thread of one turn of a restoration, because the data of saves take long to parse. */

export interface RestorationThreadOptions {
  connection: ConnectionSettings;
  key: RestorationKey;
  /** The ids of the players to look at; null for all. */
  segment: readonly string[] | null;
  /** The maximum size of a player's old versions. */
  history_bytes: number;
  turn_ms: number;
}

const { connection, key, segment, history_bytes, turn_ms } = workerData as RestorationThreadOptions;

await workInThread(
  { connection, application_name: 'overworld-restoration', max_connections: 2 },
  (database, signal) =>
    workOn(
      database.ofGame(key.game_id),
      key,
      {
        store: restorationStore,
        countNext,
        treatNext: (group, of) => treatNext(group, of, history_bytes),
      },
      { segment: segment && new Set(segment), turn_ms, signal },
    ),
);
