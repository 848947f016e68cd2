import { hash } from 'node:crypto';
import { DEFINITION_KINDS } from '@overworld/contract/definitions/kinds';
import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import { roleIncludes } from './roles.ts';
import type { TokenRole } from '@overworld/contract/operation';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { ApiError, conflict } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import type {
  DefinitionChange,
  DefinitionKinds,
  DefinitionsByKey,
} from '../../platform/definitions/definition-kind.ts';
import { compareDefinitions, writeSorted } from './difference.ts';
import type { ChangedDefinition } from './difference.ts';
import type { Wanted } from './wanted.ts';

/** All definitions of a game by kind. */
type Definitions = ReadonlyMap<DefinitionKindName, DefinitionsByKey>;

/** The most changes whose names an entry of the audit log has. */
const MAX_NAMED_CHANGES = 1_000;

/** A plan: the changes that make the definitions of a game what the files say. */
export interface Plan {
  /** Identifies the state of the game and all changes. */
  id: string;
  digest: string;
  changes: ChangedDefinition[];
}

interface Applying {
  game_id: string;
  actor: Actor;
  role: TokenRole;
  wanted: Wanted;
  /** The id of the plan that was shown. */
  plan: string;
  commit: string | null;
}

export function createDefinitionMachine(kinds: DefinitionKinds) {
  const readAll = async (tx: Queryable, game_id: string): Promise<Definitions> => {
    const all = new Map<DefinitionKindName, DefinitionsByKey>();
    for (const name of DEFINITION_KINDS) all.set(name, await kinds.get(name).list(tx, game_id));
    return all;
  };

  /** Compares the definitions of a game with the wanted ones. */
  const compare = (game_id: string, present: Definitions, wanted: Wanted) => {
    const changes: ChangedDefinition[] = [];
    const settled = new Map<DefinitionKindName, DefinitionsByKey>();
    const deleted: ChangedDefinition[] = [];
    for (const name of DEFINITION_KINDS) {
      const kind = kinds.get(name);
      const old = present.get(name)!;
      const given = wanted.definitions.get(name) ?? new Map();
      const kept = wanted.prune ? new Map([...old].filter(([key]) => given.has(key))) : old;
      const next = kind.settle?.(given, kept) ?? given;
      settled.set(name, next);
      for (const [key, definition] of next) {
        const before = old.get(key);
        const fields = compareDefinitions(before ?? {}, definition);
        const action = before === undefined ? 'create' : 'update';
        if (before === undefined || fields.length > 0) {
          changes.push({ action, kind: name, key, fields });
        }
      }
      if (!wanted.prune) continue;
      for (const [key, definition] of old) {
        if (next.has(key) || kind.isGone?.(definition)) continue;
        const fields = compareDefinitions(definition, {});
        deleted.unshift({ action: 'delete', kind: name, key, fields });
      }
    }
    const all = [...changes, ...deleted];
    const digest = digestOf(present);
    const id = hash('sha256', writeSorted([game_id, digest, all]));
    return { plan: { id, digest, changes: all }, settled };
  };

  return {
    async read(database: Queryable, game_id: string) {
      const all = await readAll(database, game_id);
      return { digest: digestOf(all), all };
    },

    async plan(database: Queryable, game_id: string, wanted: Wanted): Promise<Plan> {
      return compare(game_id, await readAll(database, game_id), wanted).plan;
    },

    /**
     * Makes all changes of a plan in one transaction, with one entry in the audit log.
     * @throws ApiError 409 when the plan is no longer the one that was shown, and the errors of the kinds,
     * which name the definition. Then nothing is changed.
     */
    async apply(database: Database, asked: Applying): Promise<Plan> {
      const { game_id, actor, role, wanted, commit } = asked;
      const afterCommit: (() => void)[] = [];
      const applied = await changeGame(database, { game_id, actor }, async (tx, record) => {
        afterCommit.length = 0;
        const change: DefinitionChange = { tx, game_id, actor };
        const { plan, settled } = compare(game_id, await readAll(tx, game_id), wanted);
        if (plan.id !== asked.plan) {
          throw conflict(
            'The plan is out of date: the game or the files have changed since it was made. Make a new plan and look at it',
            { digest: plan.digest },
          );
        }
        if (plan.changes.length === 0) return plan;
        for (const changed of plan.changes) {
          await naming(changed, () => makeChange(change, changed, settled, role));
        }
        for (const name of DEFINITION_KINDS) {
          if (!plan.changes.some(({ kind }) => kind === name)) continue;
          await kinds.get(name).finish?.(change, settled.get(name)!);
          const announced = await kinds.get(name).announce?.(tx, game_id);
          if (announced) afterCommit.push(announced);
        }
        await record('apply_definitions', plan.id, describe(plan, commit));
        return plan;
      });
      for (const run of afterCommit) run();
      return applied;
    },
  };

  async function makeChange(
    change: DefinitionChange,
    { action, kind: name, key }: ChangedDefinition,
    settled: Definitions,
    role: TokenRole,
  ) {
    const kind = kinds.get(name);
    if (action === 'delete') {
      const { delete_role = 'developer' } = kind;
      if (!roleIncludes(role, delete_role)) {
        throw new ApiError(403, `Deleting it needs the role ${delete_role}`);
      }
      return kind.delete(change, key);
    }
    return kind[action](change, key, settled.get(name)!.get(key)!);
  }
}

/** Adds the definition to the error of its change. */
async function naming({ kind, key }: ChangedDefinition, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const words = error.body.error;
    const problems = [{ kind, key, path: null, error: words }];
    // Something that is gone meanwhile contradicts the plan.
    const status = error.status === 404 ? 409 : error.status;
    throw new ApiError(status, `${kind} "${key}": ${words}`, { problems });
  }
}

const digestOf = (all: Definitions): string =>
  hash('sha256', writeSorted([...all].map(([kind, byKey]) => [kind, Object.fromEntries(byKey)])));

function describe({ changes }: Plan, commit: string | null) {
  const named = changes.slice(0, MAX_NAMED_CHANGES).map(({ action, kind, key }) => ({
    action,
    kind,
    key,
  }));
  return { commit, count: changes.length, changes: named };
}
