import type { GroupedDatabase } from '../src/platform/database/game-groups.ts';
import { sql } from '../src/platform/database/sql.ts';
import type { Sql } from '../src/platform/database/sql.ts';
import { connectToNodes, sumOfNodes } from './nodes.ts';
import { waitUntil } from './wait-until.ts';

/**
 * A gate for changes of a table. While the gate is closed, each change waits after it is made and before it
 * is committed.
 */
export interface Gate {
  /** Closes the gate, and opens it when `work` is done. */
  close<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when a change waits at the gate. */
  waitForChange(): Promise<void>;
  /** Ends the connections of the changes that wait. */
  terminate(): Promise<void>;
}

export async function makeGate(database: GroupedDatabase, table: Sql): Promise<Gate> {
  for (const group of database.groups) {
    await group.execute(sql`
      CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$`);
    await group.execute(sql`
      CREATE TRIGGER gate AFTER INSERT OR UPDATE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION wait_at_gate()`);
  }
  const waiting = `
    FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;
  return {
    async close(work) {
      await using nodes = await connectToNodes(database);
      await nodes.run('SELECT pg_advisory_lock(1)');
      return await work();
    },
    waitForChange: () =>
      waitUntil(
        'a change waits at the gate',
        async () => (await sumOfNodes(database, `SELECT count(*) ${waiting}`)) > 0,
      ),
    async terminate() {
      await sumOfNodes(database, `SELECT count(pg_terminate_backend(pid)) ${waiting}`);
    },
  };
}
