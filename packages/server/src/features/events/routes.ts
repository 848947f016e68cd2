import { ENVIRONMENTS } from '@overworld/contract/common';
import {
  deleteEventSchema,
  listEventSchemas,
  putEventSchema,
} from '@overworld/contract/events/schemas';
import { listEventProblems } from '@overworld/contract/events/problems';
import { getEventSchemaImpact } from '@overworld/contract/events/schema-impact';
import { trackEvents } from '@overworld/contract/events/track';
import { getUsage as getUsageOperation, listEvents } from '@overworld/contract/events/dashboard';
import type { Api } from '../../platform/http/api.ts';
import { readList } from '../../platform/http/page.ts';
import { asksForNew } from '../../platform/http/etag.ts';
import { implement, JsonText } from '../../platform/http/implement.ts';
import { getLimitUses } from '../../platform/limits/use-store.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { listGameEvents } from './event-store.ts';
import { createEvents } from './events.ts';
import type { EventAnalytics } from './events.ts';
import { measureInboxLag } from './inbox/inbox-lag.ts';
import { forecastQuotaPercent } from './quota.ts';
import { eventStory } from './story.ts';
import * as usage from './usage-totals.ts';
import { listKinds } from './problems/problem-store.ts';
import { listSchemas } from './schemas/schema-store.ts';
import { eventSchemaKind } from './schemas/definition-kind.ts';
import { measureImpact } from './schemas/schema-impact.ts';
import { getUsage } from './usage-store.ts';

/** @returns what other features know of events. */
export async function mountEvents(api: Api, analytics: EventAnalytics) {
  const events = api.opened.add(await createEvents(api, analytics));
  api.definitions.add(eventSchemaKind(events.schemas));

  implement(api, trackEvents, (call) =>
    events.tracking.track(call, call.body, call.headers['idempotency-key']),
  );

  implement(api, listEvents, async ({ params, query, read }) => {
    const { environment, event_name, player_id } = query;
    const filter = { event_name, player_id };
    const game = { ...params, environment };
    await events.waitForInbox(game);
    const key = { received: 'time', id: 'bigint' } as const;
    const { page, ...rest } = await read((database) =>
      readList(database, query, key, (from, after, count) =>
        listGameEvents(from, game, filter, { after, limit: count }),
      ),
    );
    const shown = page.map(({ received: _received, ...event }) => event);
    return new JsonText(writeJson({ events: shown, ...rest }));
  });

  implement(api, getUsageOperation, async ({ params, read }) => {
    const { game_id } = params;
    await Promise.all(
      ENVIRONMENTS.map((environment) => events.waitForInbox({ game_id, environment })),
    );
    return read(async (database) => ({
      ...(await getUsage(database, game_id)),
      limits: await getLimitUses(database, game_id),
    }));
  });

  implement(api, listEventSchemas, async ({ params, query, read }) => {
    const key = { event_name: 'text' } as const;
    const { page, ...rest } = await read((database) =>
      readList(database, query, key, (from, after, count) =>
        listSchemas(from, params.game_id, { after: after?.event_name, limit: count }),
      ),
    );
    return new JsonText(writeJson({ event_schemas: page, ...rest }));
  });

  implement(api, putEventSchema, async ({ params, body, headers, actor, database }) => {
    const { game_id, event_name } = params;
    const only_new = asksForNew(headers['if-none-match']);
    const stored = await events.schemas.put(database, game_id, event_name, body.schema, actor, {
      only_new,
      listUses: api.uses.list,
    });
    return new JsonText(writeJson(stored));
  });

  implement(api, deleteEventSchema, ({ params, actor, database }) =>
    events.schemas.delete(database, params.game_id, params.event_name, actor),
  );

  implement(api, getEventSchemaImpact, async ({ params, query, read }) => {
    const tenant = { ...params, ...query };
    await events.waitForInbox(tenant);
    return read((database) => measureImpact(database, tenant));
  });

  implement(api, listEventProblems, ({ params, query, read }) =>
    read(async (database) => ({
      problems: await listKinds(database, { ...params, ...query }, query.key_id),
    })),
  );

  return {
    history: events,
    sources: events.sources,
    story: eventStory,
    usage,
    waitForInbox: events.waitForInbox,
    listInboxLags: events.listInboxLags,
    measureInboxLag,
    forecastQuota: forecastQuotaPercent,
  };
}
