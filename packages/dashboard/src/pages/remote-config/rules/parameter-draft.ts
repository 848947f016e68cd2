import type { ConfigParameter, ConfigRule } from '@overworld/contract/remote-config/config';
import { parseOr } from '../../../api/exact-json.ts';
import type { PlayerCondition } from '../../../ui/conditions/conditions.ts';
import { readNumber } from '../../../ui/forms/read-number.ts';

/** A parameter that is being edited, with texts as they were typed. */
export type ParameterDraft = ReturnType<typeof readParameter>;

export const readParameter = (parameter: ConfigParameter | null) => ({
  description: parameter?.description ?? '',
  value: parameter ? JSON.stringify(parameter.value, null, 2) : '',
  rules: (parameter?.rules ?? []).map(readRule),
});

/** Returns a sentence about the mistake in a typed value, or null. */
export const findValueProblem = (text: string): string | null =>
  parseOr(text, undefined) === undefined ? 'This is not JSON. Put text in quotes.' : null;

/** @throws Error that describes the mistake in the first wrong rule. */
export function writeParameter({ description, value, rules }: ParameterDraft): ConfigParameter {
  const written = writeRules(rules);
  return {
    value: parseOr(value, undefined),
    ...(description ? { description } : {}),
    ...(written.length > 0 ? { rules: written } : {}),
  };
}

/** @throws Error that describes the mistake in the first wrong rule. */
export const writeRules = (rules: readonly RuleDraft[]): ConfigRule[] =>
  rules.map((rule, index) => writeRule(rule, index + 1));

/** A rule that is being edited, with all its fields and with texts as they were typed. */
export type RuleDraft = ReturnType<typeof readRule>;

const readRule = (rule: ConfigRule) => ({
  id: crypto.randomUUID() as string,
  name: rule.name ?? '',
  has_tags: rule.has_tags ?? [],
  lacks_tags: rule.lacks_tags ?? [],
  properties: (rule.properties ?? []) as PlayerCondition[],
  percentage: (rule.percentage ?? '') as number | string,
  salt: rule.salt,
  value: JSON.stringify(rule.value),
});

export const blankRule = (): RuleDraft => ({ ...readRule({ value: null }), value: '' });

/** @throws Error that describes the mistake in the draft. */
function writeRule(draft: RuleDraft, number: number): ConfigRule {
  const refuse = (words: string) => new Error(`Rule ${number}: ${words}`);
  const value = parseOr(draft.value, undefined);
  if (value === undefined) throw refuse('the value is not JSON; put text in quotes');
  const percentage = readNumber(draft.percentage);
  if (Number.isNaN(percentage)) throw refuse('the percentage is not a number');
  const rule: ConfigRule = { value };
  if (draft.name) rule.name = draft.name;
  if (draft.has_tags.length > 0) rule.has_tags = draft.has_tags;
  if (draft.lacks_tags.length > 0) rule.lacks_tags = draft.lacks_tags;
  if (draft.properties.length > 0) rule.properties = draft.properties;
  if (percentage !== undefined) rule.percentage = percentage;
  if (draft.salt !== undefined) rule.salt = draft.salt;
  const states = rule.has_tags ?? rule.lacks_tags ?? rule.properties ?? rule.percentage;
  if (states === undefined) throw refuse('choose who gets it: tags, conditions or a percentage');
  return rule;
}
