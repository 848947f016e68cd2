import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { ExportedEvent } from '../../platform/event-files/event-file.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { isOfTenant } from './file-plans.ts';
import type { Place } from './file-plans.ts';

interface LaterRequest {
  batch_id: string;
  received_at: string | null;
  inbox_id: number | null;
}

/**
 * Tells which events of a file of the history are in batches, and thus come in later files. Reads each batch
 * once for the file: at the end of a history there are many.
 * @returns a function that leaves these events out of a page. Pages come in order, each after it was read, so
 * that the batches of all its events are visible.
 */
export function createLaterFilter(database: Queryable, tenant: Tenant, to: Place) {
  const batches = new Set<string>();
  const requests = new Set<string>();
  const nameOf = (inbox_id: number, received_at: string) => `${inbox_id} ${received_at}`;

  return async <Event extends ExportedEvent>(page: readonly Event[]): Promise<Event[]> => {
    if (page.length === 0) return [];
    const rows = await database.query<LaterRequest>(sql`
      SELECT batch_id, at::text AS received_at, inbox_id
      FROM event_export_batches AS batch
      LEFT JOIN LATERAL unnest(inbox_ids, received_at) AS request (inbox_id, at)
        ON at BETWEEN ${page[0]!.received_at}::timestamptz AND ${to.received_at}::timestamptz
      WHERE ${isOfTenant(tenant)}
        AND first_received_at >= date_trunc('day', ${to.received_at}::timestamptz, 'UTC')
        AND first_received_at <= ${page.at(-1)!.received_at}::timestamptz
        AND batch_id <> ALL(${[...batches]}::uuid[])`);
    for (const { batch_id, received_at, inbox_id } of rows) {
      batches.add(batch_id);
      if (inbox_id !== null) requests.add(nameOf(inbox_id, received_at!));
    }
    return page.filter(
      ({ id, received_at }) => !requests.has(nameOf(Math.floor(id / 128), received_at)),
    );
  };
}
