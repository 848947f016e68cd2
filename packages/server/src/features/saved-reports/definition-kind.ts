import type { DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import type { ListUses } from '../../platform/definition-uses.ts';
import { dropReport, requireRoomFor } from './saved-reports.ts';
import { listSavedReports, upsertSavedReport } from './store.ts';
import type { ReportKey } from './store.ts';

const keyOf = (game_id: string, name: string): ReportKey => ({ game_id, kind: 'segment', name });

/** Segments as files. A plan shows that a segment changes, so it may change although others use it. */
export function segmentKind(listUses: ListUses): DefinitionKind {
  const store: DefinitionKind['create'] = async ({ tx, game_id }, name, { query }) => {
    const key = keyOf(game_id, name);
    await requireRoomFor(tx, key);
    await upsertSavedReport(tx, key, query as string);
  };
  return {
    name: 'segment',
    async list(tx, game_id) {
      const page = { kind: 'segment', after: null, limit: 1_000_000 } as const;
      const reports = await listSavedReports(tx, game_id, page);
      return new Map(reports.map(({ name, query }) => [name, { query }]));
    },
    complete: (definition) => definition,
    create: store,
    update: store,
    delete: ({ tx, game_id }, name) => dropReport(tx, keyOf(game_id, name), listUses),
  };
}
