import { notFound } from '../../../platform/errors.ts';
import type { DefinitionKind } from '../../../platform/definitions/definition-kind.ts';
import type { ListUses } from '../../../platform/definition-uses.ts';
import { parseJsonText } from '../../../platform/json/parse-json.ts';
import { compileEventSchema } from './schema-language.ts';
import { requireChangeable } from './schema-registry.ts';
import type { SchemaRegistry } from './schema-registry.ts';
import { deleteSchema, listSchemaTexts, upsertSchema } from './schema-store.ts';

/** Schemas of events as files. */
export function eventSchemaKind(
  { cache }: Pick<SchemaRegistry, 'cache'>,
  listUses: ListUses,
): DefinitionKind {
  const store: DefinitionKind['create'] = async ({ tx, game_id }, event_name, { schema }) => {
    await requireChangeable(tx, { game_id, event_name, listUses }, schema);
    await upsertSchema(tx, game_id, event_name, JSON.stringify(schema));
  };
  return {
    name: 'event_schema',
    async list(tx, game_id) {
      const rows = await listSchemaTexts(tx, game_id);
      return new Map(
        rows.map(({ event_name, schema }) => [event_name, { schema: parseJsonText(schema) }]),
      );
    },
    complete(definition) {
      compileEventSchema(definition.schema);
      return definition;
    },
    create: store,
    update: store,
    async delete({ tx, game_id }, event_name) {
      if (!(await deleteSchema(tx, game_id, event_name))) throw notFound('Event schema not found');
    },
    async announce(tx, game_id) {
      await cache.invalidateOnCommit(tx, game_id);
      return () => cache.evict(game_id);
    },
  };
}
