import { setTimeout as sleep } from 'node:timers/promises';
import type { GroupedDatabase } from '../packages/server/src/platform/database/game-groups.ts';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import type { Sql } from '../packages/server/src/platform/database/sql.ts';
import type { BenchServer } from './bench-server.ts';

/** Tells whether the SQL condition `waits` is true in any group of games. */
async function isWaiting(database: GroupedDatabase, waits: Sql): Promise<boolean> {
  for (const group of database.groups) {
    const row = await group.queryOne<{ waiting: boolean }>(sql`SELECT ${waits} AS waiting`);
    if (row!.waiting) return true;
  }
  return false;
}

/** Waits until the inbox is empty, at most ten minutes. @returns the time waited, in seconds. */
export async function drainInbox({ database }: BenchServer): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < 600_000) {
    if (!(await isWaiting(database, sql`EXISTS (SELECT FROM event_inbox)`))) break;
    await sleep(200);
  }
  return (performance.now() - started) / 1_000;
}

/** Waits until the workers have indexed and counted the rows that a line has seeded. */
export async function waitForSeeding({ database }: BenchServer): Promise<void> {
  const names = sql`EXISTS (SELECT FROM player_name_changes)`;
  const storage = sql`EXISTS (SELECT FROM storage_changes)`;
  while ((await isWaiting(database, names)) || (await isWaiting(database, storage))) {
    await sleep(200);
  }
}
