import { isDeepStrictEqual } from 'node:util';
import type { Environment } from '@overworld/contract/common';
import { inWords, LATELY } from '../../../platform/definitions/effects.ts';
import type { EffectDatabase, FoundEffect } from '../../../platform/definitions/effects.ts';
import { parseExactly } from '../../../platform/json/exact-json.ts';
import { createConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { joinNeeds } from '../experiments.ts';
import type { Traits } from '../rules.ts';
import { eachActivePlayer } from './active-players.ts';

/** The parameters of an environment that would change. No running experiment has them. */
export interface ConfigEffectInput {
  game_id: string;
  environment: Environment;
  /** Players count if they were seen at or after this time. */
  since: string;
  parameters: {
    key: string;
    /** A config with this parameter alone, as JSON; null if there is no such parameter. */
    before: string | null;
    after: string | null;
  }[];
}

/** A player of whom nothing is known. */
const ANYBODY: Traits = { player_id: null, tags: new Set(), properties: {} };

/** Counts the players who get another value of each parameter, by the code that answers them. */
export async function count(
  database: EffectDatabase,
  { parameters, ...active }: ConfigEffectInput,
  late: AbortSignal,
): Promise<FoundEffect[]> {
  const compared = parameters.map(({ key, before, after }) => ({
    key,
    was_there: before !== null,
    stays: after !== null,
    ...createComparison(before, after),
    changed: 0,
  }));
  const needs = compared.reduce<Config['needs']>((all, each) => joinNeeds(all, each.needs), null);
  const by_player = compared.filter(({ has_rules }) => has_rules);
  let players = 0;
  await eachActivePlayer(database, active, needs, late, (traits) => {
    players++;
    for (const each of by_player) if (each.differs(traits)) each.changed++;
  });
  for (const each of compared) {
    if (!each.has_rules && each.differs(ANYBODY)) each.changed = players;
  }
  const { environment } = active;
  const effect = (part: string | null, numbers: Record<string, number>, words: string) => ({
    about: 'players' as const,
    environment,
    part,
    state: 'counted' as const,
    numbers,
    words,
  });
  const lately = `seen in ${environment} ${LATELY}`;
  if (players === 0) return [effect(null, { players }, `No player was ${lately}.`)];
  return compared.map(({ key, was_there, stays, changed }) => {
    const gets = changed === 1 ? 'gets' : 'get';
    const what = !was_there
      ? `${gets} \`${key}\`, which is new`
      : stays
        ? `${gets} another \`${key}\``
        : `no longer ${gets} \`${key}\``;
    const words = `${inWords(changed)} of ${inWords(players)} players ${lately} ${what}.`;
    return effect(key, { changed, players }, words);
  });
}

/** Compares the values that a parameter has for players before and after the change. */
function createComparison(before: string | null, after: string | null) {
  const [old, next] = [before, after].map((text) => (text === null ? null : createConfig(0, text)));
  // Each answer of a parameter is one text, however many players get it.
  const known = new Map<string, Map<string, boolean>>();
  return {
    /** False if all players have the same value. */
    has_rules: [old, next].some((config) => (config?.decide(ANYBODY).length ?? 0) > 0),
    needs: joinNeeds(old?.needs ?? null, next?.needs ?? null),
    /** Tells whether the player gets another value, or one instead of none. */
    differs(traits: Traits): boolean {
      const [first, second] = [old?.answer(traits).text ?? '', next?.answer(traits).text ?? ''];
      if (first === second) return false;
      if (first === '' || second === '') return true;
      let others = known.get(first);
      if (others === undefined) known.set(first, (others = new Map()));
      let differs = others.get(second);
      if (differs === undefined) {
        differs = !isDeepStrictEqual(parseExactly(first), parseExactly(second));
        others.set(second, differs);
      }
      return differs;
    },
  };
}
