import type { Definition, DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import { readDefinition } from './definition.ts';
import type { MetricDefinition } from './definition.ts';
import { endangeredMetric, findMistake, metricNotFound, requireRoom } from './metrics.ts';
import { deleteMetric, listMetrics, upsertMetric } from './store.ts';

/** A metric as a file has it. */
type MetricFile = MetricDefinition & { name: string; description: string };

/** Metrics as files. */
export function metricKind(): DefinitionKind {
  const store: DefinitionKind['create'] = async ({ tx, game_id }, key, file) => {
    const { name, description, ...definition } = file as MetricFile;
    await upsertMetric(tx, game_id, { key, name, description, definition });
  };
  return {
    name: 'metric',
    async list(tx, game_id) {
      const listed = await listMetrics(tx, game_id);
      return new Map(
        listed.map(({ key, name, description, definition }) => [
          key,
          { name, description, ...definition } satisfies Definition,
        ]),
      );
    },
    complete({ name, description = '', ...rest }) {
      return { name, description, ...readDefinition(rest as Parameters<typeof readDefinition>[0]) };
    },
    findMistake: async (after, changed) =>
      findMistake(after as ReadonlyMap<string, MetricDefinition & Definition>, changed),
    async requireRoom({ tx, game_id }, added) {
      requireRoom(added + (await listMetrics(tx, game_id)).length);
    },
    create: store,
    update: store,
    async delete({ tx, game_id }, key) {
      if (!(await deleteMetric(tx, game_id, key))) throw metricNotFound();
    },
    findUsedThing: (key) => ({ kind: 'metric', key }),
    listEndangered: (_change, { key, after }) => (after === null ? endangeredMetric(key) : null),
  };
}
