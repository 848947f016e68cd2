import { randomUUID } from 'node:crypto';
import { MAX_RESTORATIONS } from '@overworld/contract/restorations/restoration-limits';
import type { Actor } from '../audit.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';
import { conflict, notFound } from '../errors.ts';
import { changeGame } from '../game-change.ts';
import type { Tenant } from '../players/player-key.ts';
import type { RestorationKey, RestorationRow } from './restoration.ts';
import type { RestorationStore } from './restoration-store.ts';

/** A change of the state of a restoration. */
interface StateChange {
  /** The states in which the change can be made. */
  from: readonly RestorationRow['state'][];
  /** The end of the refusal in other states. */
  advice: string;
  to(restoration: RestorationRow): RestorationRow['state'];
}

const wasInterrupted = ({ counted_at, undo_begun_at }: RestorationRow) => {
  if (counted_at === null) return 'counting' as const;
  return undo_begun_at === null ? ('running' as const) : ('undoing' as const);
};

const CHANGES = {
  start: {
    from: ['ready'],
    advice: 'only one that is ready can be started',
    to: () => 'running',
  },
  pause: {
    from: ['counting', 'running', 'undoing'],
    advice: 'only one that is being worked on can be paused',
    to: () => 'paused',
  },
  continue: {
    from: ['paused'],
    advice: 'only one that is paused can go on',
    to: wasInterrupted,
  },
  undo: {
    from: ['running', 'paused', 'done'],
    advice: 'only one that has been started can be undone, and only once',
    to: () => 'undoing',
  },
  delete: {
    from: ['counting', 'ready', 'paused', 'done', 'undone'],
    advice: 'pause it first',
    to: () => 'deleting',
  },
} satisfies Record<string, StateChange>;

/** The choices that the start confirmed. */
interface Confirmed {
  /** The number of items that was shown. */
  count: number;
  /** The choice for items that cannot be restored without a loss, as the audit log has it. */
  choice: Readonly<Record<string, string>>;
  /** SQL that stores the choice; it begins with a comma. */
  more: Sql;
}

/** Makes the changes that members make to restorations of one kind. The audit log has each of them. */
export function createStateChanges<Row extends RestorationRow>(
  store: RestorationStore<Row>,
  {
    kind,
    things,
    countOf,
  }: {
    /** The kind, as the names of its actions in the audit log have it. */
    kind: 'save' | 'stat';
    things: string;
    /** The number of items that were found. */
    countOf: (row: Row) => number;
  },
) {
  return {
    /** Begins to look for what a question finds. @throws ApiError 409 if there are too many restorations. */
    create: (
      database: Database,
      actor: Actor,
      tenant: Tenant,
      question: Row['question'],
    ): Promise<Row> =>
      changeGame(database, { ...tenant, actor }, async (tx, record) => {
        if ((await store.list(tx, tenant)).length >= MAX_RESTORATIONS) {
          throw conflict(
            `An environment may have at most ${MAX_RESTORATIONS} restorations: delete one first`,
          );
        }
        const key = { ...tenant, restoration_id: randomUUID() };
        const { environment } = tenant;
        await record(`create_${kind}_restoration`, key.restoration_id, { environment, question });
        return store.insert(tx, key, question, actor.account?.email ?? null);
      }),

    /**
     * Changes the state of a restoration.
     * @throws ApiError 404 if there is none, 409 if it is in another state, or if another number of items was
     * confirmed.
     */
    change: (
      database: Database,
      actor: Actor,
      key: RestorationKey,
      verb: keyof typeof CHANGES,
      confirmed?: Confirmed,
    ): Promise<Row> =>
      changeGame(database, { game_id: key.game_id, actor }, async (tx, record) => {
        const { from, advice, to }: StateChange = CHANGES[verb];
        const restoration = await store.find(tx, key, sql`FOR UPDATE`);
        if (restoration === null) throw notFound('Restoration not found');
        const { state, environment, started_at } = restoration;
        const isUndoOfNothing = verb === 'undo' && started_at === null;
        if (!from.includes(state) || isUndoOfNothing) {
          throw conflict(`The restoration is ${state}: ${advice}`);
        }
        const count = countOf(restoration);
        if (confirmed !== undefined && confirmed.count !== count) {
          throw conflict(`The restoration has found ${count} ${things}, not ${confirmed.count}`);
        }
        const details = { environment, [`${things.slice(0, -1)}_count`]: count };
        await record(`${verb}_${kind}_restoration`, key.restoration_id, {
          ...details,
          ...confirmed?.choice,
        });
        return store.changeState(tx, key, to(restoration), { more: confirmed?.more });
      }),
  };
}

export type StateChanges<Row extends RestorationRow> = ReturnType<typeof createStateChanges<Row>>;
