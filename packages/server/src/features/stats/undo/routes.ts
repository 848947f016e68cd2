import * as contract from '@overworld/contract/stats/restorations';
import { sql } from '../../../platform/database/sql.ts';
import { badRequest, notFound } from '../../../platform/errors.ts';
import type { Api } from '../../../platform/http/api.ts';
import { implement } from '../../../platform/http/implement.ts';
import type { StatWatcher } from '../../../platform/players/stat-watcher.ts';
import { startRestorer } from '../../../platform/restorations/restorer.ts';
import type { ListSegment } from '../../../platform/restorations/restorer.ts';
import { createStateChanges } from '../../../platform/restorations/state-changes.ts';
import { workOn } from '../../../platform/restorations/work.ts';
import { listDefinedStats } from '../definition-store.ts';
import { countNext } from './count-values.ts';
import { readQuestion } from './read-question.ts';
import { listExamples, restorationStore } from './restoration-store.ts';
import { toAnswer } from './restoration.ts';
import { treatNext } from './restore-values.ts';

/** Mounts the restorations that take back changes of statistics, and starts the work on them. */
export function mountStatRestorations(
  api: Api,
  {
    watcher,
    listSegment,
    findSegment,
  }: {
    /** Judges changes of statistics in their transactions; null if nothing does. */
    watcher: StatWatcher | null;
    listSegment: ListSegment;
    /** Finds the query of a saved segment. Null when no segment has this name. */
    findSegment: (game_id: string, name: string) => Promise<string | null>;
  },
): void {
  startRestorer(api, {
    store: restorationStore,
    things: 'statistics',
    listSegment,
    makeTurn({ group, key, segment, turn_ms }) {
      const stopping = new AbortController();
      const steps = {
        store: restorationStore,
        countNext,
        treatNext: (database: typeof group, of: typeof key) => treatNext(database, of, watcher),
      };
      return {
        run: () =>
          workOn(group, key, steps, {
            segment: segment && new Set(segment),
            turn_ms,
            signal: stopping.signal,
          }),
        close: async () => stopping.abort(),
      };
    },
  });
  const { create, change } = createStateChanges(restorationStore, {
    kind: 'stat',
    things: 'values',
    countOf: ({ value_count }) => value_count,
  });

  implement(api, contract.createStatRestoration, async (call) => {
    const { params, query, body, actor, database } = call;
    const defined = await listDefinedStats(database, params.game_id);
    const question = readQuestion(body, defined, Date.now());
    const { segment } = question;
    if (segment !== null && (await findSegment(params.game_id, segment)) === null) {
      throw badRequest('segment names no saved segment');
    }
    const tenant = { game_id: params.game_id, environment: query.environment };
    return toAnswer(await create(database, actor, tenant, question));
  });

  implement(api, contract.listStatRestorations, async ({ params, query, database }) => {
    const tenant = { game_id: params.game_id, environment: query.environment };
    const rows = await restorationStore.list(database, tenant);
    return { restorations: rows.map(toAnswer), next_cursor: null };
  });

  implement(api, contract.getStatRestoration, async ({ params, query, database }) => {
    const key = { ...params, environment: query.environment };
    const restoration = await restorationStore.find(database, key);
    if (restoration === null) throw notFound('Restoration not found');
    return { ...toAnswer(restoration), examples: await listExamples(database, key) };
  });

  implement(
    api,
    contract.startStatRestoration,
    async ({ params, query, body, actor, database }) => {
      const key = { ...params, environment: query.environment };
      const { out_of_bounds, value_count } = body;
      const confirmed = {
        count: value_count,
        choice: { out_of_bounds },
        more: sql`, out_of_bounds = ${out_of_bounds}`,
      };
      return toAnswer(await change(database, actor, key, 'start', confirmed));
    },
  );

  implement(api, contract.pauseStatRestoration, async ({ params, query, actor, database }) => {
    const key = { ...params, environment: query.environment };
    return toAnswer(await change(database, actor, key, 'pause'));
  });

  implement(api, contract.continueStatRestoration, async ({ params, query, actor, database }) => {
    const key = { ...params, environment: query.environment };
    return toAnswer(await change(database, actor, key, 'continue'));
  });

  implement(api, contract.undoStatRestoration, async ({ params, query, actor, database }) => {
    const key = { ...params, environment: query.environment };
    return toAnswer(await change(database, actor, key, 'undo'));
  });

  implement(api, contract.deleteStatRestoration, async ({ params, query, actor, database }) => {
    const key = { ...params, environment: query.environment };
    await change(database, actor, key, 'delete');
  });
}
