import { notFound } from '../../../platform/errors.ts';
import type { DefinitionKind } from '../../../platform/definitions/definition-kind.ts';
import { requireRoom } from '../../../platform/limits/limits.ts';
import { parseJsonText } from '../../../platform/json/parse-json.ts';
import { askSchemaEffects } from './effects/ask-schema-effects.ts';
import { listStatedProperties } from './lost-properties.ts';
import { compileEventSchema } from './schema-language.ts';
import { endangeredProperties } from './schema-registry.ts';
import type { SchemaRegistry } from './schema-registry.ts';
import { countSchemas, deleteSchema, listSchemaTexts, upsertSchema } from './schema-store.ts';

/** Schemas of events as files. */
export function eventSchemaKind({ cache }: Pick<SchemaRegistry, 'cache'>): DefinitionKind {
  const store: DefinitionKind['create'] = async ({ tx, game_id }, event_name, { schema }) => {
    await upsertSchema(tx, game_id, event_name, JSON.stringify(schema));
  };
  return {
    name: 'event_schema',
    async list(tx, game_id, pause) {
      const listed = new Map<string, { schema: unknown }>();
      const rows = await listSchemaTexts(tx, game_id);
      // A plan has its changes in this order.
      for (const { event_name, schema } of rows.toSorted(byName)) {
        await pause();
        listed.set(event_name, { schema: parseJsonText(schema) });
      }
      return listed;
    },
    complete(definition) {
      compileEventSchema(definition.schema);
      return definition;
    },
    async requireRoom({ tx, game_id }, added) {
      await requireRoom(tx, game_id, 'event_schemas', await countSchemas(tx, game_id), added);
    },
    create: store,
    update: store,
    async delete({ tx, game_id }, event_name) {
      if (!(await deleteSchema(tx, game_id, event_name))) throw notFound('Event schema not found');
    },
    findUsedThing: (event_name, { schema }) => ({
      kind: 'event_properties',
      event_name,
      properties: listStatedProperties(schema),
    }),
    askEffects: askSchemaEffects,
    // The routes, too, delete a schema of which others use properties.
    listEndangered: (_change, { key, before, after }) =>
      after === null ? null : endangeredProperties(key, before.schema, after.schema),
    async announce(tx, game_id) {
      await cache.invalidateOnCommit(tx, game_id);
      return () => cache.evict(game_id);
    },
  };
}

const byName = (a: { event_name: string }, b: { event_name: string }) =>
  a.event_name < b.event_name ? -1 : 1;
