import { ENVIRONMENTS } from '@overworld/contract/common';
import {
  deleteEventSchema,
  listEventSchemas,
  putEventSchema,
  testEventSchema,
} from '@overworld/contract/events/schemas';
import { getEventSchemaImpact } from '@overworld/contract/events/schema-impact';
import { trackEvents } from '@overworld/contract/events/track';
import { getUsage as getUsageOperation, listEvents } from '@overworld/contract/events/dashboard';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import type { Api } from '../../platform/http/api.ts';
import { decodeCursor } from '../../platform/http/cursor.ts';
import { countRows, cutPage, readTotal } from '../../platform/http/page.ts';
import { asksForNew } from '../../platform/http/etag.ts';
import { implement, JsonText, Reply } from '../../platform/http/implement.ts';
import type { FairQueue } from '../../platform/queue/fair-queue.ts';
import { getLimitUses } from '../../platform/limits/use-store.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { isClientTimestamp } from './track/client-timestamp.ts';
import { listGameEvents } from './event-store.ts';
import type { EventPosition } from './event-store.ts';
import type { Events } from './events.ts';
import { listSchemas } from './schemas/schema-store.ts';
import { measureImpact } from './schemas/schema-impact.ts';
import { tryEventSchema } from './schemas/schema-trial.ts';
import { getUsage } from './usage-store.ts';

export function mountEvents(
  api: Api,
  services: { database: GroupedDatabase; reads: FairQueue; events: Events },
): void {
  const { database, reads, events } = services;

  implement(api, trackEvents, (call) =>
    events.tracking.track(call, call.body, call.headers['idempotency-key']),
  );

  implement(api, listEvents, async ({ params, query }) => {
    const { environment, limit, cursor, event_name, player_id } = query;
    const filter = { event_name, player_id };
    const game = { ...params, environment };
    await events.waitForInbox(game);
    const after = readPosition(cursor);
    const group = database.ofGame(params.game_id);
    const rows = await listGameEvents(group, game, filter, { limit: limit + 1, after });
    const cut = cutPage(rows, limit, ({ received, id }) => [received, `${id}`]);
    const total = await readTotal(query, cut, () =>
      countRows(group, (from, count) =>
        listGameEvents(from, game, filter, { limit: count, after: null }),
      ),
    );
    const shown = cut.page.map(({ received: _received, ...event }) => event);
    return new JsonText(writeJson({ events: shown, next_cursor: cut.next_cursor, ...total }));
  });

  implement(api, getUsageOperation, async ({ params }) => {
    const { game_id } = params;
    await Promise.all(
      ENVIRONMENTS.map((environment) => events.waitForInbox({ game_id, environment })),
    );
    const group = database.ofGame(game_id);
    return {
      ...(await getUsage(group, game_id)),
      limits: await getLimitUses(group, game_id),
    };
  });

  implement(api, listEventSchemas, async ({ params, query }) => {
    const { limit, cursor } = query;
    const [after = null] = decodeCursor(cursor, (key) => key.length === 1) ?? [];
    const group = database.ofGame(params.game_id);
    const rows = await listSchemas(group, params.game_id, { after, limit: limit + 1 });
    const cut = cutPage(rows, limit, ({ event_name }) => [event_name]);
    const total = await readTotal(query, cut, () =>
      countRows(group, (from, count) =>
        listSchemas(from, params.game_id, { after: null, limit: count }),
      ),
    );
    const { page, next_cursor } = cut;
    return new JsonText(writeJson({ event_schemas: page, next_cursor, ...total }));
  });

  implement(api, putEventSchema, async ({ params, body, headers, actor }) => {
    const { game_id, event_name } = params;
    const only_new = asksForNew(headers['if-none-match']);
    const stored = await events.schemas.put(game_id, event_name, body.schema, actor, only_new);
    return new JsonText(writeJson(stored));
  });

  implement(api, deleteEventSchema, async ({ params, actor }) => {
    await events.schemas.delete(params.game_id, params.event_name, actor);
    return new Reply(204);
  });

  implement(api, getEventSchemaImpact, async ({ params, query, owner, signal }) => {
    const tenant = { ...params, ...query };
    await events.waitForInbox(tenant);
    const group = database.ofGame(params.game_id);
    return reads.run(owner, () => measureImpact(group, tenant), signal);
  });

  implement(api, testEventSchema, async ({ params, query, body }) => {
    const tenant = { game_id: params.game_id, environment: query.environment };
    await events.waitForInbox(tenant);
    const group = database.ofGame(params.game_id);
    return tryEventSchema(group, tenant, params.event_name, body.schema);
  });
}

/** @throws ApiError 400 when the cursor was not made by the list of events. */
function readPosition(cursor: string | undefined): EventPosition | null {
  const key = decodeCursor(
    cursor,
    ([received = '', id = '', ...rest]) =>
      rest.length === 0 && isClientTimestamp(received.replace(' ', 'T')) && /^\d{1,16}$/.test(id),
  );
  return key && { received: key[0]!, id: key[1]! };
}
