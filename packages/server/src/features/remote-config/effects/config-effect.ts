import { isDeepStrictEqual } from 'node:util';
import type { Environment } from '@overworld/contract/common';
import { inWords, LATELY } from '../../../platform/definitions/effects.ts';
import type { EffectDatabase, FoundEffect } from '../../../platform/definitions/effects.ts';
import { parseExactly } from '../../../platform/json/exact-json.ts';
import type { Traits } from '../../../platform/players/traits.ts';
import { MAX_RULES } from '@overworld/contract/remote-config/config';
import { createConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { joinNeeds } from '../experiments.ts';
import { NO_TRAITS } from '../store.ts';
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
const ANYBODY: Traits = { player_id: null, ...NO_TRAITS };

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
    ...createComparison(key, before, after),
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
function createComparison(key: string, before: string | null, after: string | null) {
  const [old, next] = [readParameter(key, before), readParameter(key, after)];
  // Each pair of rules is compared once, however many players they match.
  const known = new Map<number, boolean>();
  return {
    /** False if all players have the same value. */
    has_rules: old.has_rules || next.has_rules,
    needs: joinNeeds(old.needs, next.needs),
    /** Tells whether the player gets another value, or one instead of none. */
    differs(traits: Traits): boolean {
      const [first, second] = [old.choose(traits), next.choose(traits)];
      const pair = first * (MAX_RULES + 1) + second;
      let differs = known.get(pair);
      if (differs === undefined) {
        differs = !isDeepStrictEqual(old.valueOf(first), next.valueOf(second));
        known.set(pair, differs);
      }
      return differs;
    },
  };
}

/**
 * Prepares one parameter for answering players. Its values have numbers: that of its first rule is 1, and so on;
 * that without a rule is 0.
 * @param text A config with this parameter alone, as JSON; null for a parameter that does not exist.
 */
function readParameter(key: string, text: string | null) {
  if (text === null) {
    return { needs: null, has_rules: false, choose: () => 0, valueOf: () => undefined };
  }
  const config = createConfig(0, text);
  return {
    needs: config.needs,
    has_rules: config.decide(ANYBODY).length > 0,
    choose: (traits: Traits): number => (config.decide(traits)[0]?.rule ?? -1) + 1,
    valueOf(number: number): unknown {
      const rule = number === 0 ? null : number - 1;
      const values = config.writeValues([{ key, rule, rule_name: null, unmatched: [] }]);
      return (parseExactly(values) as Record<string, unknown>)[key];
    },
  };
}
