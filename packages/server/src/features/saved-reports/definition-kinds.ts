import { MAX_SAVED_REPORTS } from '@overworld/contract/analytics/saved-reports';
import { SAVED_REPORT_KINDS } from '@overworld/contract/analytics/reports';
import { badRequest, notFound } from '../../platform/errors.ts';
import type { DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import { checkName } from '../../platform/definitions/keys.ts';
import {
  DELETING,
  endangeredSegment,
  REPLACING,
  requireRoom,
  requireStatsOf,
} from './saved-reports.ts';
import { findCircle } from './segment-circles.ts';
import { countReports, deleteSavedReport, listSavedReports, upsertSavedReport } from './store.ts';
import type { ReportKey } from './store.ts';

/** The most segments of a circle that a sentence names. */
const MAX_NAMED = 8;

/** The keys of the reports of some kinds in files. */
interface Keys {
  read: (game_id: string, key: string) => ReportKey;
  /** Returns null for reports of other kinds. */
  write: (report: Omit<ReportKey, 'game_id'>) => string | null;
}

/** A segment has its name as key. */
const ofSegments: Keys = {
  read: (game_id, name) => ({ game_id, kind: 'segment', name }),
  write: ({ kind, name }) => (kind === 'segment' ? name : null),
};

/** All other reports have their kind in their keys, such as `funnel/Tutorial`. */
const ofOthers: Keys = {
  read(game_id, key) {
    const slash = key.indexOf('/');
    // Without a slash, there is no kind.
    const [given, name] = [key.slice(0, Math.max(0, slash)), key.slice(slash + 1)];
    const kind = SAVED_REPORT_KINDS.find((it) => it === given && it !== 'segment');
    if (kind === undefined) throw badRequest('key must begin with a kind of reports and a slash');
    return { game_id, kind, name };
  },
  write: ({ kind, name }) => (kind === 'segment' ? null : `${kind}/${name}`),
};

const kindOf = (name: 'segment' | 'saved_report', keys: Keys): DefinitionKind => {
  const store: DefinitionKind['create'] = async ({ tx, game_id }, key, { query }) => {
    await requireStatsOf(tx, game_id, query as string);
    await upsertSavedReport(tx, keys.read(game_id, key), query as string);
  };
  return {
    name,
    async list(tx, game_id) {
      const page = { kind: undefined, after: null, limit: MAX_SAVED_REPORTS };
      const listed = new Map<string, { query: string }>();
      for (const report of await listSavedReports(tx, game_id, page)) {
        const key = keys.write(report);
        if (key !== null) listed.set(key, { query: report.query });
      }
      return listed;
    },
    complete(definition, _exact, key) {
      checkName(keys.read('', key).name);
      return definition;
    },
    async requireRoom({ tx, game_id }, added) {
      requireRoom(added + (await countReports(tx, game_id)));
    },
    create: store,
    update: store,
    async delete({ tx, game_id }, key) {
      const is_deleted = await deleteSavedReport(tx, keys.read(game_id, key));
      if (!is_deleted) throw notFound('Saved report not found');
    },
  };
};

/** Segments as files. */
export const segmentKind = (): DefinitionKind => ({
  ...kindOf('segment', ofSegments),
  findUsedThing: (name) => ({ kind: 'segment', name }),
  listEndangered: ({ replace_used }, { key: name, after }) =>
    after !== null && replace_used
      ? null
      : endangeredSegment(name, after === null ? DELETING : REPLACING),
  async findMistake(after, changed, pause) {
    const circle = await findCircle(after, changed, pause);
    if (circle === null) return null;
    const key = circle.find((name) => changed.has(name))!;
    const named = circle.length > MAX_NAMED ? [...circle.slice(0, MAX_NAMED), '…'] : circle;
    return { key, error: `query makes a circle of segments: ${named.join(' → ')}` };
  },
});

/** All other saved reports as files. */
export const savedReportKind = (): DefinitionKind => kindOf('saved_report', ofOthers);
