import type { Queryable } from '../../platform/database/database.ts';
import type { DefinitionKinds } from '../../platform/definitions/definition-kind.ts';
import { inWords } from '../../platform/definitions/effects.ts';
import type { FoundEffect } from '../../platform/definitions/effects.ts';
import { joinInWords, listInWords } from '../../platform/definition-uses.ts';
import type { ListUses, UsedThing } from '../../platform/definition-uses.ts';
import type { Definitions } from './compare.ts';
import type { ChangedDefinition } from './difference.ts';

/** Lists for each change the definitions that use the thing that it changes or deletes. */
export async function listUseEffects(
  kinds: DefinitionKinds,
  listUses: ListUses,
  tx: Queryable,
  game_id: string,
  changes: readonly ChangedDefinition[],
  present: Definitions,
): Promise<FoundEffect[][]> {
  const things: UsedThing[] = [];
  const places: number[] = [];
  for (const [index, { kind, key }] of changes.entries()) {
    const before = present.get(kind)!.get(key);
    const thing = before && kinds.get(kind).findUsedThing?.(key, before);
    if (!thing) continue;
    things.push(thing);
    places.push(index);
  }
  const effects: FoundEffect[][] = changes.map(() => []);
  if (things.length === 0) return effects;
  const uses = await listUses(tx, game_id, things);
  for (const [index, users] of uses.entries()) {
    if (users.length > 0) effects[places[index]!]!.push(describeUses(users));
  }
  return effects;
}

const describeUses = (users: readonly string[]): FoundEffect => ({
  about: 'uses',
  environment: null,
  part: null,
  state: 'counted',
  numbers: { uses: users.length },
  words: `${countInWords(users)} ${users.length === 1 ? 'uses' : 'use'} it: ${listInWords(users)}.`,
});

/** Counts users by their nouns: `2 experiments and 1 card`. */
function countInWords(users: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const user of users) {
    const noun = /^the (.+?)(?= ["(]|$)/.exec(user)?.[1] ?? 'definition';
    counts.set(noun, (counts.get(noun) ?? 0) + 1);
  }
  return joinInWords(
    [...counts].map(([noun, count]) => {
      const plural = count === 1 || noun.endsWith('s') ? noun : `${noun}s`;
      return `${inWords(count)} ${plural}`;
    }),
  );
}
