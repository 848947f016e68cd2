import * as contract from '@overworld/contract/saves/restorations';
import { createTaskThread } from '../../../platform/background/task-thread.ts';
import { sql } from '../../../platform/database/sql.ts';
import { badRequest, notFound } from '../../../platform/errors.ts';
import type { Api } from '../../../platform/http/api.ts';
import { implement } from '../../../platform/http/implement.ts';
import { startRestorer } from '../../../platform/restorations/restorer.ts';
import type { ListSegment } from '../../../platform/restorations/restorer.ts';
import { createStateChanges } from '../../../platform/restorations/state-changes.ts';
import { readQuestion } from './read-question.ts';
import { listExamples, restorationStore } from './restoration-store.ts';
import type { RestorationThreadOptions } from './restoration-thread.ts';
import { toAnswer } from './restoration.ts';

/** Mounts the restorations of saves that a bad build has spoiled, and starts the work on them. */
export function mountSaveRestorations(
  api: Api,
  {
    listSegment,
    findSegment,
  }: {
    listSegment: ListSegment;
    /** Finds the query of a saved segment. Null when no segment has this name. */
    findSegment: (game_id: string, name: string) => Promise<string | null>;
  },
): void {
  const { connection } = api;
  const history_bytes = api.config.save_history_kb * 1024;
  const script = new URL('./restoration-thread.ts', import.meta.url);
  startRestorer(api, {
    store: restorationStore,
    things: 'saves',
    listSegment,
    makeTurn: ({ key, segment, turn_ms }) => {
      const options: RestorationThreadOptions = {
        connection,
        key,
        segment,
        history_bytes,
        turn_ms,
      };
      return createTaskThread<void>(script, options);
    },
  });
  const { create, change } = createStateChanges(restorationStore, {
    kind: 'save',
    things: 'saves',
    countOf: ({ save_count }) => save_count,
  });

  implement(api, contract.createSaveRestoration, async (call) => {
    const { params, query, body, actor, database } = call;
    const question = readQuestion(body, Date.now());
    const { segment } = question;
    if (segment !== null && (await findSegment(params.game_id, segment)) === null) {
      throw badRequest('segment names no saved segment');
    }
    const tenant = { game_id: params.game_id, environment: query.environment };
    return toAnswer(await create(database, actor, tenant, question));
  });

  implement(api, contract.listSaveRestorations, async ({ params, query, database }) => {
    const tenant = { game_id: params.game_id, environment: query.environment };
    const rows = await restorationStore.list(database, tenant);
    return { restorations: rows.map(toAnswer), next_cursor: null };
  });

  implement(api, contract.getSaveRestoration, async ({ params, query, database }) => {
    const key = { ...params, environment: query.environment };
    const restoration = await restorationStore.find(database, key);
    if (restoration === null) throw notFound('Restoration not found');
    return { ...toAnswer(restoration), examples: await listExamples(database, key) };
  });

  implement(
    api,
    contract.startSaveRestoration,
    async ({ params, query, body, actor, database }) => {
      const key = { ...params, environment: query.environment };
      const { played_on, save_count } = body;
      const confirmed = {
        count: save_count,
        choice: { played_on },
        more: sql`, played_on = ${played_on}`,
      };
      return toAnswer(await change(database, actor, key, 'start', confirmed));
    },
  );

  implement(api, contract.pauseSaveRestoration, async ({ params, query, actor, database }) => {
    const key = { ...params, environment: query.environment };
    return toAnswer(await change(database, actor, key, 'pause'));
  });

  implement(api, contract.continueSaveRestoration, async ({ params, query, actor, database }) => {
    const key = { ...params, environment: query.environment };
    return toAnswer(await change(database, actor, key, 'continue'));
  });

  implement(api, contract.undoSaveRestoration, async ({ params, query, actor, database }) => {
    const key = { ...params, environment: query.environment };
    return toAnswer(await change(database, actor, key, 'undo'));
  });

  implement(api, contract.deleteSaveRestoration, async ({ params, query, actor, database }) => {
    const key = { ...params, environment: query.environment };
    await change(database, actor, key, 'delete');
  });
}
