import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../platform/database/database.ts';
import { perGroup } from '../../../platform/database/game-groups.ts';
import type { GroupedDatabase, PerGroup } from '../../../platform/database/game-groups.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { PlayerHistory } from '../../../platform/players/player-history.ts';
import type { Ingester } from './ingester.ts';

/**
 * The longest time for which a read waits until the inbox, the table of new events, is processed. If that
 * takes longer, the read does not show the events that are still in the inbox.
 */
const MAX_WAIT_MS = 1_000;
/**
 * The time between two queries of the inbox. If another node is processing the events, only the inbox table
 * shows when that node has finished.
 */
const LOOK_INTERVAL_MS = 15;

export function createWaitForInbox(
  hot: GroupedDatabase,
  ingesters: PerGroup<Ingester>,
): PlayerHistory['waitForInbox'] {
  const waits = perGroup(hot, (group, number) => waitIn(group, ingesters.all[number]!));
  return (tenant) => waits.ofGame(tenant.game_id)(tenant);
}

const waitIn =
  (group: Database, ingester: Ingester): PlayerHistory['waitForInbox'] =>
  async ({ game_id, environment }) => {
    const newest = await group.queryOne<{ id: number }>(sql`
      SELECT id
      FROM event_inbox
      WHERE game_id = ${game_id} AND environment = ${environment}
      ORDER BY id DESC
      LIMIT 1`);
    if (newest === null) return;

    const deadline = performance.now() + MAX_WAIT_MS;
    const isWaiting = async () => {
      const row = await group.queryOne<{ waiting: boolean }>(sql`
        SELECT EXISTS (
          SELECT FROM event_inbox
          WHERE game_id = ${game_id} AND environment = ${environment} AND id <= ${newest.id}
        ) AS waiting`);
      return row!.waiting;
    };
    do {
      await Promise.race([
        ingester.processInbox(),
        sleep(deadline - performance.now(), undefined, { ref: false }),
      ]);
      if (!(await isWaiting())) return;
      await sleep(LOOK_INTERVAL_MS);
    } while (performance.now() < deadline);
  };
