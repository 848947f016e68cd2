import { randomUUID } from 'node:crypto';
import { MAX_RESTORATIONS } from '@overworld/contract/saves/restoration-limits';
import type { PlayedOnChoice } from '@overworld/contract/saves/restoration-limits';
import type { RestorationQuestion } from '@overworld/contract/saves/restorations';
import type { AuditAction } from '@overworld/contract/games/audit-actions';
import type { Actor } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { conflict, notFound } from '../../../platform/errors.ts';
import { changeGame } from '../../../platform/game-change.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import {
  changeState,
  findRestoration,
  insertRestoration,
  listRestorations,
} from './restoration-store.ts';
import type { Restoration, RestorationKey } from './restoration.ts';

/** Begins to count the saves that a question finds. @throws ApiError 409 if there are too many restorations. */
export const createRestoration = (
  database: Database,
  actor: Actor,
  tenant: Tenant,
  question: RestorationQuestion,
): Promise<Restoration> =>
  changeGame(database, { ...tenant, actor }, async (tx, record) => {
    if ((await listRestorations(tx, tenant)).length >= MAX_RESTORATIONS) {
      throw conflict(
        `An environment may have at most ${MAX_RESTORATIONS} restorations: delete one first`,
      );
    }
    const key = { ...tenant, restoration_id: randomUUID() };
    const { environment } = tenant;
    await record('create_save_restoration', key.restoration_id, { environment, question });
    return insertRestoration(tx, key, question, actor.account?.email ?? null);
  });

/** A change of the state of a restoration. */
export interface StateChange {
  action: AuditAction;
  /** The states in which the change can be made. */
  from: readonly Restoration['state'][];
  /** The end of the refusal in other states. */
  advice: string;
  to(restoration: Restoration): Restoration['state'];
}

const wasInterrupted = ({ counted_at, undo_begun_at }: Restoration) => {
  if (counted_at === null) return 'counting' as const;
  return undo_begun_at === null ? ('running' as const) : ('undoing' as const);
};

export const START: StateChange = {
  action: 'start_save_restoration',
  from: ['ready'],
  advice: 'only one that is ready can be started',
  to: () => 'running',
};
export const PAUSE: StateChange = {
  action: 'pause_save_restoration',
  from: ['counting', 'running', 'undoing'],
  advice: 'only one that is being worked on can be paused',
  to: () => 'paused',
};
export const CONTINUE: StateChange = {
  action: 'continue_save_restoration',
  from: ['paused'],
  advice: 'only one that is paused can go on',
  to: wasInterrupted,
};
export const UNDO: StateChange = {
  action: 'undo_save_restoration',
  from: ['running', 'paused', 'done'],
  advice: 'only one that has been started can be undone, and only once',
  to: () => 'undoing',
};
export const DELETE: StateChange = {
  action: 'delete_save_restoration',
  from: ['counting', 'ready', 'paused', 'done', 'undone'],
  advice: 'pause it first',
  to: () => 'deleting',
};

/**
 * Changes the state of a restoration.
 * @throws ApiError 404 if there is none, 409 if it is in another state, or if another number of saves was
 * confirmed.
 */
export const changeRestoration = (
  database: Database,
  actor: Actor,
  key: RestorationKey,
  { action, from, advice, to }: StateChange,
  confirmed?: { played_on: PlayedOnChoice; save_count: number },
): Promise<Restoration> =>
  changeGame(database, { game_id: key.game_id, actor }, async (tx, record) => {
    const restoration = await findRestoration(tx, key, sql`FOR UPDATE`);
    if (restoration === null) throw notFound('Restoration not found');
    const { state, environment, save_count, started_at } = restoration;
    const isUndoOfNothing = action === UNDO.action && started_at === null;
    if (!from.includes(state) || isUndoOfNothing) {
      throw conflict(`The restoration is ${state}: ${advice}`);
    }
    if (confirmed !== undefined && confirmed.save_count !== save_count) {
      throw conflict(`The restoration has found ${save_count} saves, not ${confirmed.save_count}`);
    }
    const played_on = confirmed?.played_on;
    const details = { environment, save_count, ...(played_on && { played_on }) };
    await record(action, key.restoration_id, details);
    return changeState(tx, key, to(restoration), { ...(played_on && { played_on }) });
  });
