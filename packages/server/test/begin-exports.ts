import { beginExports } from '../src/features/event-export/begun-exports.ts';
import { lockIngest } from '../src/platform/ingest-lock.ts';
import type { GroupedDatabase } from '../src/platform/database/game-groups.ts';

/** Begins the exports of all games, as each run of a server with EVENTS_EXPORT_TO does first. */
export const beginAllExports = (database: GroupedDatabase): Promise<void> =>
  beginExports(database, lockIngest);
