import { DEFINITION_KINDS } from '@overworld/contract/definitions/kinds';
import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import type { TokenRole } from '@overworld/contract/operation';
import type { Actor } from '../../platform/audit.ts';
import { hasRole } from '../../platform/auth/accounts.ts';
import { makeHashKey } from '../../platform/auth/sealing.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { retryDeadlocks } from '../../platform/database/retry-deadlocks.ts';
import type {
  DefinitionChange,
  DefinitionKinds,
  DefinitionsByKey,
} from '../../platform/definitions/definition-kind.ts';
import { findRefusals } from '../../platform/definition-uses.ts';
import type { ListUses } from '../../platform/definition-uses.ts';
import { ApiError, conflict } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import { writeExactly } from '../../platform/json/exact-json.ts';
import { parseJsonText } from '../../platform/json/parse-json.ts';
import { createPauses } from '../../platform/pauses.ts';
import type { Pause } from '../../platform/pauses.ts';
import { concealAll, concealChanges, seesAll } from './concealment.ts';
import { compare, digestOf } from './compare.ts';
import type { ComparedGame, Comparison, Definitions, Plan } from './compare.ts';
import type { ChangedDefinition } from './difference.ts';
import type { Wanted } from './wanted.ts';

/**
 * The most changes of an apply. They take about a millisecond each, during which other changes of the game and
 * first scores on new boards wait.
 */
const MAX_CHANGES = 1_000;
/** The most changes whose names an entry of the audit log has. */
const MAX_NAMED_CHANGES = 1_000;
/** The most characters of members that differ in an entry of the audit log. */
const MAX_AUDITED_CHARACTERS = 64 * 1024;

/** Tells what a game should have. A copy depends on what the game has. */
export type Want = (present: Definitions) => Wanted;

interface Applying {
  game_id: string;
  actor: Actor;
  role: TokenRole;
  want: Want;
  /** The id of the plan that was shown. */
  plan: string;
  replace_used: boolean;
  /** The origin of the changes, for the entry in the audit log. */
  origin: Record<string, unknown>;
}

/** A plan with the definitions before and after it. */
export interface Planned extends Comparison {
  present: Definitions;
}

/** The things that a plan changes, before and after. */
interface Made {
  present: Definitions;
  settled: Definitions;
  changes: readonly ChangedDefinition[];
}

export function createDefinitionMachine(kinds: DefinitionKinds, listUses: ListUses) {
  const readAll = async (tx: Queryable, game_id: string, pause: Pause): Promise<Definitions> => {
    const all = new Map<DefinitionKindName, DefinitionsByKey>();
    for (const name of DEFINITION_KINDS) {
      all.set(name, await kinds.get(name).list(tx, game_id, pause));
    }
    return all;
  };

  return {
    async read(reads: Queryable, { game_id, hash_key, sees_all }: ComparedGame) {
      const pause = createPauses();
      const all = await readAll(reads, game_id, pause);
      const digest = await digestOf(all, hash_key, pause);
      return { digest, all: sees_all ? all : concealAll(kinds, all) };
    },

    async plan(reads: Queryable, game: ComparedGame, want: Want): Promise<Planned> {
      const pause = createPauses();
      const present = await readAll(reads, game.game_id, pause);
      return { present, ...(await compare(kinds, game, present, want(present), pause)) };
    },

    /**
     * Makes all changes of a plan in one transaction, with one entry in the audit log.
     * @throws ApiError 409 when the plan is no longer the one that was shown, and the errors of the kinds,
     * which name the definition. Then nothing is changed.
     */
    async apply(database: Database, asked: Applying): Promise<Plan> {
      const { game_id, actor } = asked;
      await prepare(database, asked);
      const { plan, afterCommit, later } = await retryDeadlocks(() =>
        changeGame(database, { game_id, actor }, async (tx, record) => {
          const works: ((database: Database) => Promise<void>)[] = [];
          const change: DefinitionChange = {
            tx,
            game_id,
            actor,
            replace_used: asked.replace_used,
            afterCommit: (work) => void works.push(work),
          };
          const made = await makeChanges(change, asked);
          if (made.plan.changes.length > 0) {
            const shown = concealChanges(kinds, made.plan);
            await record('apply_definitions', made.plan.id, describe(shown, asked.origin));
          }
          return { ...made, later: works };
        }),
      );
      for (const run of afterCommit) run();
      for (const work of later) await work(database);
      return plan;
    },
  };

  /** Does what may take long, of changes that the role allows. */
  async function prepare(database: Database, { game_id, role, want }: Applying): Promise<void> {
    for (const name of DEFINITION_KINDS) {
      const kind = kinds.get(name);
      if (kind.prepare === undefined) continue;
      const present = await kind.list(database, game_id, createPauses());
      const { definitions, prune } = want(new Map([[name, present]]));
      for (const [key, before] of present) {
        const after = definitions.get(name)?.get(key) ?? null;
        const replaced = { key, before, after };
        const needed = kind.roleFor?.(replaced) ?? 'developer';
        if ((after === null && !prune) || !hasRole(role, needed)) continue;
        await kind.prepare(database, game_id, replaced);
      }
    }
  }

  async function makeChanges(change: DefinitionChange, asked: Applying) {
    const { tx, game_id } = change;
    const pause = createPauses();
    const present = await readAll(tx, game_id, pause);
    const wanted = asked.want(present);
    const game = { game_id, hash_key: await readHashKey(tx), sees_all: seesAll(asked.role) };
    const comparison = await compare(kinds, game, present, wanted, pause);
    // An admin may also apply the plan that a member saw who does not see all.
    const { plan, settled } =
      comparison.plan.id !== asked.plan && game.sees_all
        ? await compare(kinds, { ...game, sees_all: false }, present, wanted, pause)
        : comparison;
    if (plan.id !== asked.plan) {
      throw conflict(
        'The plan is out of date: the game or the files have changed since it was made. Make a new plan and look at it',
        { digest: plan.digest },
      );
    }
    requireFew(plan.changes);
    await requireRoles(plan.changes, asked.role);
    const made: Made = { present, settled, changes: plan.changes };
    const isLate = (name: DefinitionKindName) => kinds.get(name).locks_players === true;
    const [late, early] = [
      DEFINITION_KINDS.filter(isLate),
      DEFINITION_KINDS.filter((name) => !isLate(name)),
    ];
    const requireSound = async () => {
      await requireUnused(change, made);
      await requireWhole(change, made);
    };
    // A late kind may still name what the plan deletes, and no longer name it afterwards.
    const isSoundLate = plan.changes.some(({ action }) => action === 'delete');
    await store(change, made, early);
    if (!isSoundLate) await requireSound();
    await store(change, made, late);
    if (isSoundLate) await requireSound();
    const afterCommit: (() => void)[] = [];
    for (const name of DEFINITION_KINDS) {
      if (!plan.changes.some(({ kind }) => kind === name)) continue;
      const announced = await kinds.get(name).announce?.(tx, game_id);
      if (announced) afterCommit.push(announced);
    }
    return { plan, afterCommit };
  }

  /** Refuses a plan under whose changes other changes of the game would wait for too long. */
  function requireFew(changes: readonly ChangedDefinition[]): void {
    const refuse = (max: number, words: string, count: number) => {
      if (count <= max) return;
      throw conflict(
        `An apply may ${words} at most ${max.toLocaleString('en')}, and this plan has ${count.toLocaleString('en')}: take some of the files first`,
      );
    };
    refuse(MAX_CHANGES, 'make changes,', changes.length);
    for (const name of DEFINITION_KINDS) {
      const { max_replaced } = kinds.get(name);
      if (max_replaced === undefined) continue;
      const replaced = changes.filter(({ kind, action }) => kind === name && action !== 'create');
      refuse(max_replaced, `change or delete ${name}s,`, replaced.length);
    }
  }

  /** Deletes, makes and changes the definitions of some kinds. */
  async function store(
    change: DefinitionChange,
    { changes, settled }: Made,
    names: readonly DefinitionKindName[],
  ): Promise<void> {
    const its = changes.filter(({ kind }) => names.includes(kind));
    for (const it of its.filter(({ action }) => action === 'delete')) {
      await naming(it, () => kinds.get(it.kind).delete!(change, it.key));
    }
    for (const name of names) {
      const kind = kinds.get(name);
      const stored = its.filter((it) => it.kind === name && it.action !== 'delete');
      const added = stored.filter(({ action }) => action === 'create').length;
      if (added > 0) await counting(name, added, () => kind.requireRoom(change, added));
      for (const it of stored) {
        const definition = settled.get(name)!.get(it.key)!;
        const run = it.action === 'create' ? kind.create : kind.update;
        const version = await naming(it, () => run(change, it.key, definition));
        if (version !== undefined) it.version = version;
      }
      if (its.some((it) => it.kind === name)) await kind.finish?.(change, settled.get(name)!);
    }
  }

  /** Refuses changes of things to which other definitions refer. All uses are read once. */
  async function requireUnused(
    change: DefinitionChange,
    { changes, present, settled }: Made,
  ): Promise<void> {
    const replaced = changes.flatMap(({ kind, key, action }) => {
      const before = present.get(kind)!.get(key);
      if (before === undefined) return [];
      const after = action === 'delete' ? null : settled.get(kind)!.get(key)!;
      const endangered = kinds.get(kind).listEndangered?.(change, { key, before, after }) ?? null;
      return endangered === null ? [] : [{ kind, key, endangered }];
    });
    const things = replaced.map(({ endangered }) => endangered);
    const refusals = await findRefusals(listUses, change.tx, change.game_id, things);
    for (const [index, refusal] of refusals.entries()) {
      if (refusal !== null) await naming(replaced[index]!, () => Promise.reject(refusal));
    }
  }

  /** Refuses a plan that deletes something which a definition that stays as it is names. */
  async function requireWhole(change: DefinitionChange, { changes, settled }: Made): Promise<void> {
    if (!changes.some(({ action }) => action === 'delete')) return;
    for (const name of DEFINITION_KINDS) {
      const broken = await kinds.get(name).findBroken?.(change, settled.get(name)!);
      if (!broken) continue;
      await naming({ kind: name, key: broken.key }, () => Promise.reject(broken.error));
    }
  }
}

/**
 * Reads the key of digests and of ids of plans, which members see who may not see all of the definitions. Makes
 * it if there is none, so the database must not be read-only.
 */
export const readHashKey = (tx: Queryable): Promise<Buffer> => makeHashKey(tx, 'definitions');

const DOING = { create: 'Making', update: 'Changing', delete: 'Deleting' };

/** @throws ApiError 403 that names the first change which the role does not allow. */
async function requireRoles(changes: readonly ChangedDefinition[], role: TokenRole): Promise<void> {
  for (const it of changes) {
    if (hasRole(role, it.role)) continue;
    const words = `${DOING[it.action]} it needs the role ${it.role}`;
    await naming(it, () => Promise.reject(new ApiError(403, words)));
  }
}

/** Adds the definition to the error of its change. */
async function naming<T>(
  { kind, key }: { kind: DefinitionKindName; key: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
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
async function counting(
  kind: DefinitionKindName,
  added: number,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const { error: words, ...rest } = error.body;
    const made = `${kind}: the plan makes ${added.toLocaleString('en')}`;
    throw new ApiError(error.status, `${made}. ${words}`, rest);
  }
}

/** Describes a plan for the audit log, with the members that differ as long as they fit. */
function describe({ changes }: Plan, origin: Record<string, unknown>) {
  let left = MAX_AUDITED_CHARACTERS;
  const named = changes.slice(0, MAX_NAMED_CHANGES).map(({ fields, role: _, ...its }) => {
    const text = writeExactly(fields);
    if (text.length > left) return its;
    left -= text.length;
    // The log has numbers as doubles.
    return { ...its, fields: parseJsonText(text) };
  });
  return { ...origin, count: changes.length, changes: named };
}
