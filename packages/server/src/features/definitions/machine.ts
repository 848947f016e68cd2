import { DEFINITION_KINDS } from '@overworld/contract/definitions/kinds';
import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import type { TokenRole } from '@overworld/contract/operation';
import type { Actor } from '../../platform/audit.ts';
import { hasRole } from '../../platform/auth/accounts.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { retryDeadlocks } from '../../platform/database/retry-deadlocks.ts';
import type {
  DefinitionChange,
  DefinitionKinds,
  DefinitionsByKey,
} from '../../platform/definitions/definition-kind.ts';
import { ApiError, conflict } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import { createPauses } from '../../platform/pauses.ts';
import type { Pause } from '../../platform/pauses.ts';
import { compare, digestOf } from './compare.ts';
import type { Definitions, Plan } from './compare.ts';
import type { ChangedDefinition } from './difference.ts';
import type { Wanted } from './wanted.ts';

/** The most changes whose names an entry of the audit log has. */
const MAX_NAMED_CHANGES = 1_000;

interface Applying {
  game_id: string;
  actor: Actor;
  role: TokenRole;
  wanted: Wanted;
  /** The id of the plan that was shown. */
  plan: string;
  commit: string | null;
  replace_used: boolean;
}

export function createDefinitionMachine(kinds: DefinitionKinds) {
  const readAll = async (tx: Queryable, game_id: string, pause: Pause): Promise<Definitions> => {
    const all = new Map<DefinitionKindName, DefinitionsByKey>();
    for (const name of DEFINITION_KINDS) {
      all.set(name, await kinds.get(name).list(tx, game_id, pause));
    }
    return all;
  };

  return {
    async read(database: Queryable, game_id: string) {
      const pause = createPauses();
      const all = await readAll(database, game_id, pause);
      return { digest: await digestOf(all, pause), all };
    },

    async plan(database: Queryable, game_id: string, wanted: Wanted): Promise<Plan> {
      const pause = createPauses();
      const present = await readAll(database, game_id, pause);
      return (await compare(kinds, game_id, present, wanted, pause)).plan;
    },

    /**
     * Makes all changes of a plan in one transaction, with one entry in the audit log.
     * @throws ApiError 409 when the plan is no longer the one that was shown, and the errors of the kinds,
     * which name the definition. Then nothing is changed.
     */
    async apply(database: Database, asked: Applying): Promise<Plan> {
      const { game_id, actor } = asked;
      const { plan, afterCommit } = await retryDeadlocks(() =>
        changeGame(database, { game_id, actor }, async (tx, record) => {
          const change = { tx, game_id, actor, replace_used: asked.replace_used };
          const made = await makeChanges(change, asked);
          if (made.plan.changes.length > 0) {
            await record('apply_definitions', made.plan.id, describe(made.plan, asked.commit));
          }
          return made;
        }),
      );
      for (const run of afterCommit) run();
      return plan;
    },
  };

  async function makeChanges(change: DefinitionChange, asked: Applying) {
    const { tx, game_id } = change;
    const pause = createPauses();
    const present = await readAll(tx, game_id, pause);
    const { plan, settled } = await compare(kinds, game_id, present, asked.wanted, pause);
    if (plan.id !== asked.plan) {
      throw conflict(
        'The plan is out of date: the game or the files have changed since it was made. Make a new plan and look at it',
        { digest: plan.digest },
      );
    }
    const { changes } = plan;
    const deleted = changes.filter(({ action }) => action === 'delete');
    const stored = changes.filter(({ action }) => action !== 'delete');
    for (const it of deleted) await naming(it, () => remove(change, it, asked.role));
    for (const name of DEFINITION_KINDS) {
      const added = stored.filter(({ kind, action }) => kind === name && action === 'create');
      if (added.length === 0) continue;
      await counting(added, () => kinds.get(name).requireRoom(change, added.length));
    }
    for (const it of stored) {
      const { kind, key } = it;
      await naming(it, () => kinds.get(kind)[it.action](change, key, settled.get(kind)!.get(key)!));
    }
    for (const it of changes) {
      const { kind, key } = it;
      const before = present.get(kind)!.get(key);
      if (before === undefined) continue;
      const after = it.action === 'delete' ? null : settled.get(kind)!.get(key)!;
      await naming(it, async () => kinds.get(kind).requireUnused?.(change, { key, before, after }));
    }
    const afterCommit: (() => void)[] = [];
    for (const name of DEFINITION_KINDS) {
      if (!changes.some(({ kind }) => kind === name)) continue;
      await kinds.get(name).finish?.(change, settled.get(name)!);
      const announced = await kinds.get(name).announce?.(tx, game_id);
      if (announced) afterCommit.push(announced);
    }
    return { plan, afterCommit };
  }

  async function remove(change: DefinitionChange, it: ChangedDefinition, role: TokenRole) {
    const { delete_role = 'developer', delete: run } = kinds.get(it.kind);
    if (!hasRole(role, delete_role)) {
      throw new ApiError(403, `Deleting it needs the role ${delete_role}`);
    }
    await run(change, it.key);
  }
}

/** Adds the definition to the error of its change. */
async function naming({ kind, key }: ChangedDefinition, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const { error: words, ...rest } = error.body;
    const problems = [{ kind, key, error: words }];
    // Something that is gone meanwhile contradicts the plan.
    const status = error.status === 404 ? 409 : error.status;
    throw new ApiError(status, `${kind} "${key}": ${words}`, { ...rest, problems });
  }
}

/** Adds the number of new definitions to the error about a limit. */
async function counting(added: ChangedDefinition[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const { error: words, ...rest } = error.body;
    const made = `${added[0]!.kind}: the plan makes ${added.length.toLocaleString('en')}`;
    throw new ApiError(error.status, `${made}. ${words}`, rest);
  }
}

function describe({ changes }: Plan, commit: string | null) {
  const named = changes.slice(0, MAX_NAMED_CHANGES).map(({ action, kind, key }) => ({
    action,
    kind,
    key,
  }));
  return { commit, count: changes.length, changes: named };
}
