import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** Asks until the answer is true, at most five seconds. */
export async function waitUntil(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, what);
    await sleep(5);
  }
}

/** Holds changes of entries between their work and their commit while it is closed. */
export interface Gate {
  /** Closes the gate, and opens it when `work` is done. */
  close<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when a change waits at the gate. */
  hold(): Promise<void>;
  /** Ends the connections of those that wait. */
  terminate(): Promise<void>;
}

export async function makeGate(database: Database): Promise<Gate> {
  await database.execute(sql`
    CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$`);
  await database.execute(sql`
    CREATE TRIGGER gate AFTER INSERT OR UPDATE ON leaderboard_entries
    EXECUTE FUNCTION wait_at_gate()`);
  const held = sql`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event = 'advisory'`;
  return {
    close: (work) =>
      database.transaction(async (tx) => {
        await tx.execute(sql`SELECT pg_advisory_xact_lock(1)`);
        return work();
      }),
    hold: () => waitUntil(async () => (await database.execute(held)) > 0, 'a change should wait'),
    async terminate() {
      await database.execute(sql`SELECT pg_terminate_backend(pid) FROM (${held}) AS held`);
    },
  };
}
