import { setTimeout as sleep } from 'node:timers/promises';
import { withDatabase } from '../../packages/server/src/cli/installation.ts';
import type { Database } from '../../packages/server/src/platform/database/database.ts';
import type { GroupedDatabase } from '../../packages/server/src/platform/database/game-groups.ts';
import type { ConnectionSettings } from '../../packages/server/src/platform/database/open-database.ts';
import { readGroups } from '../../packages/server/src/platform/database/pools.ts';
import { makeTaskDue } from '../../packages/server/src/platform/background/task-store.ts';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import type { MixedLoad } from './mixed-load.ts';

/** The time within which a server must process all events that it has acknowledged. */
const INBOX_PATIENCE_MS = 60_000;

/**
 * Compares all stored data with all writes that the server has acknowledged. The load must be paused.
 * @returns the differences.
 */
export async function checkLoad(
  load: MixedLoad,
  server: { url: string; connection: ConnectionSettings },
): Promise<string[]> {
  const { game_id, key, time_zone } = load.game;
  const compare = async (installation: GroupedDatabase) => {
    const database = installation.ofGame(game_id);
    await waitForInbox(database, game_id);
    const problems: string[] = [];
    const get = async (path: string) => {
      const response = await fetch(server.url + path, { headers: { 'x-game-api-key': key } });
      if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
      return (await response.json()) as Record<string, unknown>;
    };
    const makeDue = async (task: string) => {
      await installation.execute(sql`
        UPDATE background_tasks SET leased_until = now() WHERE name = ${task}`);
      await installation.transaction((tx) => makeTaskDue(tx, task));
    };
    for (const workload of load.workloads) {
      const found = await workload.check({ database, game_id, time_zone, get, makeDue });
      problems.push(...found.map((problem) => `${workload.name}: ${problem}`));
    }
    return problems;
  };
  return withDatabase(server.connection, compare, await readGroups(server.connection));
}

async function waitForInbox(database: Database, game_id: string): Promise<void> {
  const deadline = performance.now() + INBOX_PATIENCE_MS;
  const find = () =>
    database.queryOne(sql`SELECT id FROM event_inbox WHERE game_id = ${game_id} LIMIT 1`);
  while ((await find()) !== null) {
    if (performance.now() > deadline) throw new Error('Events wait in the inbox');
    await sleep(10);
  }
}
