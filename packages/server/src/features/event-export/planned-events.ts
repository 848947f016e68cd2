import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { ExportedEvent } from '../../platform/event-files/event-file.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { isOfTenant, isPlanned } from './file-plans.ts';
import type { FilePlan, Place } from './file-plans.ts';
import { createLaterFilter } from './later-requests.ts';

/** The number of events in a page. An event has at most 32 KB of properties. */
const PAGE_SIZE = 250;

const eventColumns = sql`
  event_name, session_id, player_id, properties::text, client_timestamp::text, occurred_at::text`;

/** The plan of a file has ended: another server has written the file, or its game was deleted. */
export class PlanEnded extends Error {}

/**
 * Yields the events of a planned file page by page. Each event comes once, also if players are merged
 * meanwhile. Events that were erased or dropped are missing.
 * @throws PlanEnded after the last event if these may not be all: whoever ends a plan deletes its batches.
 */
export async function* readPlannedEvents(
  database: Queryable,
  tenant: Tenant,
  plan: FilePlan,
): AsyncGenerator<readonly ExportedEvent[]> {
  const { history } = plan;
  yield* history === null ? readBatches(database, tenant) : readHistory(database, tenant, history);
  if (!(await isPlanned(database, tenant, plan))) throw new PlanEnded(`${plan.name} has ended.`);
}

/** Yields the events of the history. Events of batches are stored later, and come in later files. */
async function* readHistory(
  database: Queryable,
  tenant: Tenant,
  { after, to }: { after: Place; to: Place },
): AsyncGenerator<readonly ExportedEvent[]> {
  const leaveOutLater = createLaterFilter(database, tenant, to);
  let last = after;
  for (;;) {
    const page = await database.query<ExportedEvent>(sql`
      WITH page AS MATERIALIZED (
        SELECT * FROM events
        WHERE ${isOfTenant(tenant)}
          AND (received_at, id) > (${last.received_at}::timestamptz, ${last.id}::bigint)
          AND received_at >= ${last.received_at}::timestamptz
          AND (received_at, id) <= (${to.received_at}::timestamptz, ${to.id}::bigint)
          AND received_at <= ${to.received_at}::timestamptz
        ORDER BY received_at, id
        LIMIT ${PAGE_SIZE}
      )
      SELECT received_at::text, id, ${eventColumns}
      FROM page
      ORDER BY page.received_at, page.id`);
    const events = await leaveOutLater(page);
    if (events.length > 0) yield events;
    if (page.length < PAGE_SIZE) return;
    last = page.at(-1)!;
  }
}

interface Batch {
  first_received_at: string;
  batch_id: string;
  event_count: number;
  request_count: number;
}

/** Yields the events of the batches of the plan. */
async function* readBatches(
  database: Queryable,
  tenant: Tenant,
): AsyncGenerator<readonly ExportedEvent[]> {
  const batches = await database.query<Batch>(sql`
    SELECT first_received_at::text, batch_id, event_count, cardinality(inbox_ids) AS request_count
    FROM event_export_batches
    WHERE ${isOfTenant(tenant)} AND is_planned
    ORDER BY event_export_batches.first_received_at, batch_id`);
  for (const batch of batches) yield* readBatch(database, tenant, batch);
}

/**
 * Yields the events of the requests of a batch. A page looks at as many requests as have a page of events on
 * average, because it reads and sorts their events.
 */
async function* readBatch(
  database: Queryable,
  tenant: Tenant,
  { first_received_at, batch_id, event_count, request_count }: Batch,
): AsyncGenerator<readonly ExportedEvent[]> {
  const window = Math.max(1, Math.ceil((PAGE_SIZE * request_count) / event_count));
  let last = { place: 1, id: -1 };
  while (last.place <= request_count) {
    const page = await database.query<ExportedEvent & { place: number }>(sql`
      SELECT place, received_at::text, id, ${eventColumns}
      FROM (
        SELECT place, event.*
        FROM event_export_batches AS batch
        CROSS JOIN LATERAL unnest(inbox_ids, received_at) WITH ORDINALITY
          AS request (inbox_id, at, place)
        CROSS JOIN LATERAL (
          SELECT * FROM events
          WHERE ${isOfTenant(tenant)} AND events.received_at = request.at
            AND events.id BETWEEN inbox_id * 128 AND inbox_id * 128 + 127
          OFFSET 0
        ) AS event
        WHERE batch.game_id = ${tenant.game_id}::uuid
          AND batch.environment = ${tenant.environment}::environment
          AND first_received_at = ${first_received_at}::timestamptz AND batch_id = ${batch_id}::uuid
          AND place BETWEEN ${last.place} AND ${last.place + window - 1}
          AND (place, event.id) > (${last.place}::bigint, ${last.id}::bigint)
        ORDER BY place, event.id
        LIMIT ${PAGE_SIZE}
      ) AS page
      ORDER BY page.place, page.id`);
    if (page.length > 0) yield page;
    last = page.length < PAGE_SIZE ? { place: last.place + window, id: -1 } : page.at(-1)!;
  }
}
