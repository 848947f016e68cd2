import { MAX_VIOLATIONS } from '@overworld/contract/events/track';
import type { EventViolation } from '@overworld/contract/events/track';
import type { Actor } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { requireUnused } from '../../../platform/definition-uses.ts';
import type { EndangeredThing, ListUses } from '../../../platform/definition-uses.ts';
import { createGameDefinitionCache } from '../../../platform/definition-cache.ts';
import { changeDefinitions } from '../../../platform/game-change.ts';
import { conflict, notFound } from '../../../platform/errors.ts';
import { requireRoom } from '../../../platform/limits/limits.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import { parseJsonText } from '../../../platform/json/parse-json.ts';
import { compileEventSchema } from './schema-language.ts';
import type { Check, SchemaProblem } from './schema-language.ts';
import { findLostProperties } from './lost-properties.ts';
import {
  countSchemas,
  deleteSchema,
  findSchemaText,
  listSchemaTexts,
  upsertSchema,
} from './schema-store.ts';
import type { TrackedEvent } from '../track/track-request.ts';

/** On this channel nodes tell each other which game has changed its schemas. */
const CHANNEL = 'overworld_event_schemas';

export function createSchemaRegistry(games: GroupedDatabase, notifications: Notifications) {
  const cache = createGameDefinitionCache<ReadonlyMap<string, Check>>(games, {
    channel: CHANNEL,
    notifications,
    max_entries: 2_000,
    async load(database, game_id) {
      const rows = await listSchemaTexts(database, game_id);
      return new Map(
        rows.map(({ event_name, schema }) => [
          event_name,
          compileEventSchema(parseJsonText(schema)),
        ]),
      );
    },
  });

  return {
    cache,
    /** Checks events against the schemas of their game. Returns at most 100 problems. */
    async findViolations(game_id: string, events: readonly TrackedEvent[]) {
      const schemas = cache.peek(game_id) ?? (await cache.get(game_id));
      return schemas.size === 0 ? [] : checkEvents(schemas, events);
    },
    /**
     * @throws ApiError 400 for a schema that is not in Overworld's schema language, 403 when the game has too
     * many schemas, 409 when `only_new` is given and the event has a schema, or when others use a property
     * that the schema would no longer have.
     */
    async put(
      database: Database,
      game_id: string,
      event_name: string,
      schema: unknown,
      actor: Actor,
      { only_new, listUses }: { only_new: boolean; listUses: ListUses },
    ) {
      compileEventSchema(schema);
      return changeDefinitions(database, cache, { game_id, actor }, async (tx, record) => {
        const before = await findSchemaText(tx, game_id, event_name);
        if (only_new && before !== null) throw conflict('event_name has a schema already');
        if (before === null) {
          await requireRoom(tx, game_id, 'event_schemas', await countSchemas(tx, game_id));
        }
        const lost = endangeredProperties(event_name, before && parseJsonText(before), schema);
        if (lost !== null) await requireUnused(listUses, tx, game_id, lost);
        await record('put_event_schema', event_name, { schema });
        return upsertSchema(tx, game_id, event_name, JSON.stringify(schema));
      });
    },
    /** @throws ApiError 404 when the event has no schema. */
    async delete(database: Database, game_id: string, event_name: string, actor: Actor) {
      await changeDefinitions(database, cache, { game_id, actor }, async (tx, record) => {
        if (!(await deleteSchema(tx, game_id, event_name))) {
          throw notFound('Event schema not found');
        }
        await record('delete_event_schema', event_name);
      });
    },
  };
}

/**
 * Finds the properties that a schema leaves out, and that others must not use.
 * @param before The schema so far; null if the event had none.
 */
export function endangeredProperties(
  event_name: string,
  before: unknown,
  schema: unknown,
): EndangeredThing | null {
  const properties = findLostProperties(before, schema);
  if (properties.size === 0) return null;
  return {
    thing: { kind: 'event_properties', event_name, properties },
    named: `A property of ${event_name} that the schema leaves out`,
    advice: 'change them first, or keep it in the schema',
  };
}

export type SchemaRegistry = ReturnType<typeof createSchemaRegistry>;

function checkEvents(
  schemas: ReadonlyMap<string, Check>,
  events: readonly TrackedEvent[],
): EventViolation[] {
  const violations: EventViolation[] = [];
  for (const [index, { event_name, properties }] of events.entries()) {
    const check = schemas.get(event_name);
    if (check === undefined) continue;
    const problems: SchemaProblem[] = [];
    check(properties ?? {}, 'properties', problems);
    for (const problem of problems) {
      violations.push({ index, event_name, ...problem });
      if (violations.length >= MAX_VIOLATIONS) return violations;
    }
  }
  return violations;
}
