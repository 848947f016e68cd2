import type { Queryable } from './database/database.ts';
import { conflict } from './errors.ts';
import type { ApiError } from './errors.ts';

/** A thing to which other definitions of a game can refer. */
export type UsedThing =
  | { kind: 'segment'; name: string }
  | { kind: 'stat'; key: string }
  | { kind: 'achievement'; key: string }
  | { kind: 'metric'; key: string }
  | { kind: 'experiment'; experiment_id: string }
  | { kind: 'event_properties'; event_name: string; properties: ReadonlySet<string> };

/** Names a user in words. Of several properties, the words name one that it uses. */
export const nameUser = (user: string, thing: UsedThing, used: string): string =>
  thing.kind === 'event_properties' ? `${user} (${used})` : user;

/**
 * Lists the definitions of a game that refer to things, each in words, such as `the funnel "Shop"`. Each feature
 * whose definitions refer to things of others implements this. It reads and parses its definitions once, however
 * many things are asked about, because the caller holds the lock of the game, and pauses while it parses.
 * @returns a list for each thing, in their order.
 */
export type ListUses = (
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
) => Promise<string[][]>;

/** The maximum number of definitions that a refusal names. */
const MAX_NAMED = 3;

/** Makes the register into which features enter the functions that list their definitions. */
export function createDefinitionUses() {
  const features: ListUses[] = [];
  const list: ListUses = async (tx, game_id, things) => {
    const uses: string[][] = things.map(() => []);
    for (const listUses of features) {
      const found = await listUses(tx, game_id, things);
      for (const [index, its] of found.entries()) uses[index]!.push(...its);
    }
    return uses;
  };
  return {
    add: (listUses: ListUses) => void features.push(listUses),
    /** Lists the definitions of all features that refer to things. */
    list,
  };
}

/** The definitions of all features that refer to things of others. */
export type DefinitionUses = ReturnType<typeof createDefinitionUses>;

/** Names some definitions in one phrase: `the funnel "Shop", the funnel "Start" and 4 others`. */
export function listInWords(uses: readonly string[]): string {
  const named = uses.slice(0, MAX_NAMED);
  const others = uses.length - named.length;
  if (others > 0) named.push(others === 1 ? '1 other' : `${others} others`);
  return joinInWords(named);
}

/** Joins phrases: `a, b and c`. */
export function joinInWords(phrases: readonly string[]): string {
  const [last = '', ...before] = phrases.toReversed();
  return before.length === 0 ? last : `${before.toReversed().join(', ')} and ${last}`;
}

/** A thing that a change would take away or change, and words for the refusal. */
export interface EndangeredThing {
  thing: UsedThing;
  /** The thing in words, such as `The segment "Whales"`. */
  named: string;
  /** The end of the sentence: the way to make the change. */
  advice: string;
}

/**
 * Refuses a change after which definitions would refer to something that is gone, or that means something
 * else. The caller must hold the lock of the game.
 * @throws ApiError 409 that names the definitions. Its `used_by` lists all of them.
 */
export async function requireUnused(
  listUses: ListUses,
  tx: Queryable,
  game_id: string,
  endangered: EndangeredThing,
): Promise<void> {
  const [refusal] = await findRefusals(listUses, tx, game_id, [endangered]);
  if (refusal) throw refusal;
}

/** Makes the refusals of `requireUnused` for many things; null for a thing to which nothing refers. */
export async function findRefusals(
  listUses: ListUses,
  tx: Queryable,
  game_id: string,
  endangered: readonly EndangeredThing[],
): Promise<(ApiError | null)[]> {
  if (endangered.length === 0) return [];
  const uses = await listUses(
    tx,
    game_id,
    endangered.map(({ thing }) => thing),
  );
  return endangered.map(({ named, advice }, index) => {
    const used_by = uses[index]!;
    if (used_by.length === 0) return null;
    return conflict(`${named} is used by ${listInWords(used_by)}: ${advice}`, { used_by });
  });
}
