import { MAX_SAVED_REPORTS } from '@overworld/contract/analytics/saved-reports';
import { notFound } from '../../platform/errors.ts';
import type { DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import { DELETING, endangeredSegment, REPLACING, requireRoom } from './saved-reports.ts';
import { countReports, deleteSavedReport, listSavedReports, upsertSavedReport } from './store.ts';
import type { ReportKey } from './store.ts';

const keyOf = (game_id: string, name: string): ReportKey => ({ game_id, kind: 'segment', name });

/** Segments as files. */
export function segmentKind(): DefinitionKind {
  const store: DefinitionKind['create'] = async ({ tx, game_id }, name, { query }) => {
    await upsertSavedReport(tx, keyOf(game_id, name), query as string);
  };
  return {
    name: 'segment',
    async list(tx, game_id) {
      const page = { kind: 'segment', after: null, limit: MAX_SAVED_REPORTS } as const;
      const reports = await listSavedReports(tx, game_id, page);
      return new Map(reports.map(({ name, query }) => [name, { query }]));
    },
    complete: (definition) => definition,
    async requireRoom({ tx, game_id }, added) {
      requireRoom(added + (await countReports(tx, game_id)));
    },
    create: store,
    update: store,
    async delete({ tx, game_id }, name) {
      const is_deleted = await deleteSavedReport(tx, keyOf(game_id, name));
      if (!is_deleted) throw notFound('Saved report not found');
    },
    listEndangered: ({ replace_used }, { key: name, after }) =>
      after !== null && replace_used
        ? null
        : endangeredSegment(name, after === null ? DELETING : REPLACING),
  };
}
