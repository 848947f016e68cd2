import { createHmac, hash } from 'node:crypto';
import { DEFINITION_KINDS } from '@overworld/contract/definitions/kinds';
import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import { ROLES } from '@overworld/contract/operation';
import type { Role } from '@overworld/contract/operation';
import type {
  Definition,
  DefinitionKind,
  DefinitionKinds,
  DefinitionsByKey,
} from '../../platform/definitions/definition-kind.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Pause } from '../../platform/pauses.ts';
import { compareDefinitions, MAX_PATH_CHARACTERS, writeSorted } from './difference.ts';
import type { ChangedDefinition } from './difference.ts';
import type { Wanted } from './wanted.ts';

/** All definitions of a game by kind. */
export type Definitions = ReadonlyMap<DefinitionKindName, DefinitionsByKey>;

/** A plan: the changes that make the definitions of a game what the files say. */
export interface Plan {
  /** Identifies the state of the game and all changes. */
  id: string;
  digest: string;
  /** The role that an apply needs. */
  role: Role;
  /** In the order in which they are made: what is deleted comes first. */
  changes: ChangedDefinition[];
}

export interface Comparison {
  plan: Plan;
  /** The definitions of the game after the changes, without those that no file has. */
  settled: Definitions;
}

/** A game as a plan is made for it. */
export interface ComparedGame {
  game_id: string;
  /** The key of its digests and plans. */
  hash_key: Buffer;
  /**
   * False for a plan of a member who does not see definitions whole: it lists each hidden part that the files
   * state as changed, even if the game has the same. Otherwise the member could try out what is hidden.
   */
  sees_all: boolean;
}

/**
 * Compares the definitions of a game with the wanted ones.
 * @throws ApiError 400 for a mistake that several wanted definitions make together.
 */
export async function compare(
  kinds: DefinitionKinds,
  { game_id, hash_key, sees_all }: ComparedGame,
  present: Definitions,
  wanted: Wanted,
  pause: Pause,
): Promise<Comparison> {
  const changed: ChangedDefinition[] = [];
  const deleted: ChangedDefinition[] = [];
  const settled = new Map<DefinitionKindName, DefinitionsByKey>();
  const stated = new Map<ChangedDefinition, string[]>();
  const budget = { characters: MAX_PATH_CHARACTERS };
  for (const name of DEFINITION_KINDS) {
    const kind = kinds.get(name);
    const { roleFor = () => 'developer' as const, concealed = {} } = kind;
    const old = present.get(name)!;
    const given: DefinitionsByKey = wanted.definitions.get(name) ?? new Map();
    const kept = wanted.prune ? new Map([...old].filter(([key]) => given.has(key))) : old;
    const next = kind.settle?.(given, kept) ?? given;
    settled.set(name, next);
    for (const [key, definition] of next) {
      await pause();
      const before = old.get(key);
      const guessed = sees_all || before === undefined ? [] : listStated(concealed, given.get(key));
      const unlike = Object.fromEntries(guessed.map((member) => [member, null]));
      const fields = compareDefinitions({ ...before, ...unlike }, definition, budget);
      for (const field of fields.filter(({ path }) => guessed.includes(path))) {
        field.before = before![field.path];
      }
      if (before !== undefined && fields.length === 0) continue;
      const action = before === undefined ? 'create' : 'update';
      const role = roleFor({ key, before: before ?? null, after: definition });
      const change: ChangedDefinition = { action, kind: name, key, fields, role };
      changed.push(change);
      stated.set(change, guessed);
    }
    await requireSound(kind, new Map([...kept, ...next]), changed, pause);
    if (!wanted.prune || kind.delete === undefined) continue;
    for (const [key, definition] of old) {
      if (next.has(key) || kind.isGone?.(definition)) continue;
      await pause();
      const fields = compareDefinitions(definition, {}, budget);
      const role = roleFor({ key, before: definition, after: null });
      deleted.unshift({ action: 'delete', kind: name, key, fields, role });
    }
  }
  const changes = [...deleted, ...changed];
  const digest = await digestOf(present, hash_key, pause);
  const id = createHmac('sha256', hash_key).update(`${game_id} ${digest}`);
  for (const change of changes) {
    await pause();
    const { action, kind, key } = change;
    // The whole definition counts, because the shown members may leave parts out. A hidden part that is stated
    // counts as such: the plan that leaves it as it is has another id, even if both have the same part.
    const definition = action === 'delete' ? null : settled.get(kind)!.get(key)!;
    id.update(`\n${writeSorted([action, kind, key, definition, stated.get(change) ?? []])}`);
  }
  return { plan: { id: id.digest('hex'), digest, role: highestRole(changes), changes }, settled };
}

/** @throws ApiError 400 that names a definition which makes a mistake together with others. */
async function requireSound(
  { name, findMistake }: DefinitionKind,
  after: DefinitionsByKey,
  changes: readonly ChangedDefinition[],
  pause: Pause,
): Promise<void> {
  if (findMistake === undefined) return;
  const keys = changes.filter(({ kind }) => kind === name).map(({ key }) => key);
  const mistake = await findMistake(after, new Set(keys), pause);
  if (mistake === null) return;
  const { key, error } = mistake;
  throw badRequest(`${name} "${key}": ${error}`, { problems: [{ kind: name, key, error }] });
}

/** Lists the members of a document that state a part which only admins see. */
const listStated = (
  concealed: NonNullable<DefinitionKind['concealed']>,
  document: Definition = {},
): string[] =>
  Object.keys(concealed).filter(
    (member) =>
      Object.hasOwn(document, member) && concealed[member]!(document[member]) !== document[member],
  );

const highestRole = (changes: readonly ChangedDefinition[]): Role =>
  ROLES.findLast((role) => changes.some((it) => it.role === role)) ?? 'developer';

/** Computes a hash of all definitions, in whatever order they were read. */
export async function digestOf(all: Definitions, hash_key: Buffer, pause: Pause): Promise<string> {
  const hashes: string[] = [];
  for (const [kind, byKey] of all) {
    for (const [key, definition] of byKey) {
      await pause();
      hashes.push(hash('sha256', writeSorted([kind, key, definition])));
    }
  }
  return createHmac('sha256', hash_key).update(hashes.toSorted().join()).digest('hex');
}
