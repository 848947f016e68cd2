import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import type { ConfigCondition, previewConfig } from '@overworld/contract/remote-config/dashboard';
import type { SuccessOf } from '@overworld/contract/operation';
import { makeEtag } from '../../platform/http/etag.ts';
import { parseExactly, writeExactly } from '../../platform/json/exact-json.ts';
import { traitsIn } from '../../platform/players/traits.ts';
import type { TraitNeeds, Traits } from '../../platform/players/traits.ts';
import { findUnmatched } from './rules.ts';

/** The server's answer to a client that requests its config. */
export interface ConfigAnswer {
  /** `{config, version}` as JSON. */
  text: string;
  etag: string;
}

/** Tells which rule of a parameter applies to a player, and why the rules before it do not apply. */
export type Decision = SuccessOf<typeof previewConfig>['decisions'][number];

/** Values that a player in an experiment gets instead of the values of the config. */
export interface ReplacedValues {
  /** Identifies these values: two `ReplacedValues` with the same name have the same values. */
  name: string;
  /**
   * The replaced members of `config` as JSON text, such as `"daily_reward":200`. The map's key is the
   * parameter's key.
   */
  members: ReadonlyMap<string, string>;
}

/**
 * The maximum total length of the answers that are cached for one version of the config. Players for whom
 * the same rules match share an answer. Ten parameters, each with a percentage, can have a thousand
 * different answers. For a large config, these would take 256 MB.
 */
const MAX_KEPT_CHARACTERS = 1_000_000;

/** @param text The parameters as they are stored. */
export function createConfig(version: number, text: string) {
  const parameters = Object.entries(parseExactly(text) as Record<string, ConfigParameter>);
  const withRules = parameters.filter(([, { rules = [] }]) => rules.length > 0);
  const members = new Map(
    parameters.map(([key, { value, rules = [] }]) => {
      const write = (chosen: unknown) => `${JSON.stringify(key)}:${writeExactly(chosen)}`;
      return [key, { byDefault: write(value), byRule: rules.map((rule) => write(rule.value)) }];
    }),
  );
  const answers = new Map<string, ConfigAnswer>();
  let kept_characters = 0;

  const decide = (traits: Traits | null) =>
    withRules.map(([key, { rules = [] }]) => {
      const unmatched: ConfigCondition[] = [];
      for (const [index, rule] of rules.entries()) {
        const condition = findUnmatched(rule, key, traits);
        if (condition === null) {
          return { key, rule: index, rule_name: rule.name ?? null, unmatched };
        }
        unmatched.push(condition);
      }
      return { key, rule: null, rule_name: null, unmatched };
    });

  const writeValues = (decisions: readonly Decision[], replaced?: ReplacedValues) => {
    const chosen = new Map(decisions.map(({ key, rule }) => [key, rule]));
    const texts = [...members].map(([key, { byDefault, byRule }]) => {
      const replacement = replaced?.members.get(key);
      if (replacement !== undefined) return replacement;
      const rule = chosen.get(key) ?? null;
      return rule === null ? byDefault : byRule[rule];
    });
    return `{${texts.join(',')}}`;
  };

  return {
    version,
    /** The traits, besides the player's id, that the rules test; null if the rules test no other traits. */
    needs: findNeeds(withRules.map(([, parameter]) => parameter)),
    /**
     * Returns the config for a player. If `traits` is null, returns the config for a client without a
     * player.
     */
    answer(traits: Traits | null, replaced?: ReplacedValues): ConfigAnswer {
      const decisions = decide(traits);
      const variant = decisions.map(({ rule }) => rule).join() + (replaced?.name ?? '');
      let answer = answers.get(variant);
      if (answer === undefined) {
        const answerText = `{"config":${writeValues(decisions, replaced)},"version":${version}}`;
        answer = { text: answerText, etag: makeEtag(answerText) };
        kept_characters += variant.length + answerText.length;
        if (kept_characters > MAX_KEPT_CHARACTERS) {
          answers.clear();
          kept_characters = variant.length + answerText.length;
        }
        answers.set(variant, answer);
      }
      return answer;
    },
    decide,
    /** Returns the values as the JSON text of an object. */
    writeValues,
  };
}

/** One version of an environment's parameters, prepared for answering requests. */
export type Config = ReturnType<typeof createConfig>;

function findNeeds(parameters: ConfigParameter[]): TraitNeeds | null {
  const rules = parameters.flatMap((parameter) => parameter.rules ?? []);
  const conditions = rules.flatMap(({ properties = [] }) => properties);
  const looksAtTags = rules.some(({ has_tags, lacks_tags }) => has_tags ?? lacks_tags);
  if (!looksAtTags && conditions.length === 0) return null;
  return traitsIn(conditions);
}
