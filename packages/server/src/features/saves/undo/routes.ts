import * as contract from '@overworld/contract/saves/restorations';
import type { Environment } from '@overworld/contract/common';
import type { Actor } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database/database.ts';
import { badRequest, notFound } from '../../../platform/errors.ts';
import type { Api } from '../../../platform/http/api.ts';
import { implement } from '../../../platform/http/implement.ts';
import { readQuestion } from './read-question.ts';
import { findRestoration, listExamples, listRestorations } from './restoration-store.ts';
import { toAnswer } from './restoration.ts';
import type { RestorationKey } from './restoration.ts';
import {
  changeRestoration,
  CONTINUE,
  createRestoration,
  DELETE,
  PAUSE,
  START,
  UNDO,
} from './restorations.ts';
import type { StateChange } from './restorations.ts';
import { startRestorer } from './restorer.ts';
import type { ListSegment } from './restorer.ts';

interface ChangeCall {
  params: { game_id: string; restoration_id: string };
  query: { environment: Environment };
  actor: Actor;
  database: Database;
}

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
  startRestorer(api, listSegment);

  implement(api, contract.createSaveRestoration, async (call) => {
    const { params, query, body, actor, database } = call;
    const question = readQuestion(body, Date.now());
    const { segment } = question;
    if (segment !== null && (await findSegment(params.game_id, segment)) === null) {
      throw badRequest('segment names no saved segment');
    }
    const tenant = { game_id: params.game_id, environment: query.environment };
    return toAnswer(await createRestoration(database, actor, tenant, question));
  });

  implement(api, contract.listSaveRestorations, async ({ params, query, database }) => {
    const tenant = { game_id: params.game_id, environment: query.environment };
    const rows = await listRestorations(database, tenant);
    return { restorations: rows.map(toAnswer), next_cursor: null };
  });

  implement(api, contract.getSaveRestoration, async ({ params, query, database }) => {
    const key: RestorationKey = { ...params, environment: query.environment };
    const restoration = await findRestoration(database, key);
    if (restoration === null) throw notFound('Restoration not found');
    return { ...toAnswer(restoration), examples: await listExamples(database, key) };
  });

  implement(api, contract.startSaveRestoration, async (call) => {
    const { params, query, body, actor, database } = call;
    const key: RestorationKey = { ...params, environment: query.environment };
    return toAnswer(await changeRestoration(database, actor, key, START, body));
  });

  const makeChange =
    (change: StateChange) =>
    async ({ params, query, actor, database }: ChangeCall) => {
      const key: RestorationKey = { ...params, environment: query.environment };
      return toAnswer(await changeRestoration(database, actor, key, change));
    };
  implement(api, contract.pauseSaveRestoration, makeChange(PAUSE));
  implement(api, contract.continueSaveRestoration, makeChange(CONTINUE));
  implement(api, contract.undoSaveRestoration, makeChange(UNDO));

  implement(api, contract.deleteSaveRestoration, async ({ params, query, actor, database }) => {
    const key: RestorationKey = { ...params, environment: query.environment };
    await changeRestoration(database, actor, key, DELETE);
  });
}
