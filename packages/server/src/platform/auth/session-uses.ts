import type { Database } from '../database/database.ts';
import { rowsAs, sql } from '../database/sql.ts';

/** Notes which sessions of the dashboard were used, and writes the uses of all sessions in one statement. */
export function createSessionUses(database: Database) {
  let noted = new Map<string, string>();
  return {
    /** Notes that a session was used from an address just now. The caller does not wait. */
    note(session_id: string, ip: string) {
      noted.set(session_id, ip);
    },
    /** Writes the notes; called by a timer and at shutdown. */
    async flush() {
      const uses = Array.from(noted, ([id, address]) => ({ id, address }));
      noted = new Map();
      if (uses.length === 0) return;
      // Locked sessions are skipped: another transaction is ending them, so they need no last use.
      await database.execute(sql`
        WITH locked AS MATERIALIZED (
          SELECT id, uses.address
          FROM ${rowsAs('uses', uses, { id: 'uuid', address: 'text' })}
          JOIN account_sessions USING (id)
          FOR NO KEY UPDATE OF account_sessions SKIP LOCKED
        )
        UPDATE account_sessions SET last_used_at = now(), address = locked.address
        FROM locked
        WHERE account_sessions.id = locked.id`);
    },
  };
}

export type SessionUses = ReturnType<typeof createSessionUses>;
