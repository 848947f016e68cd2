import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import { describeRule } from '../rules/rule-words.ts';
import { diffLines } from './line-diff.ts';
import type { DiffLine } from './line-diff.ts';

export type Parameters = Record<string, ConfigParameter>;

/** The difference of one parameter between two configs. */
export interface ParameterChange {
  key: string;
  kind: 'added' | 'changed' | 'removed';
  /** The parts that differ, with long runs of equal lines left out. */
  parts: { name: 'Value' | 'Rules' | 'Description'; lines: DiffLine[] }[];
}

/** The number of equal lines that are shown on each side of a difference. */
const CONTEXT = 2;

/** Lists the parameters that differ: first those of the new config, in its order, then the removed ones. */
export function listChanges(before: Parameters, after: Parameters): ParameterChange[] {
  const find = (parameters: Parameters, key: string) =>
    Object.hasOwn(parameters, key) ? parameters[key]! : null;
  const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...keys].flatMap((key) => {
    const [old, current] = [find(before, key), find(after, key)];
    if (JSON.stringify(old) === JSON.stringify(current)) return [];
    const kind = old === null ? 'added' : current === null ? 'removed' : 'changed';
    return [{ key, kind, parts: diffParts(old, current) }];
  });
}

function diffParts(old: ConfigParameter | null, current: ConfigParameter | null) {
  const parts = [
    { name: 'Value' as const, lines: diffLines(valueLines(old), valueLines(current)) },
    { name: 'Rules' as const, lines: diffLines(ruleLines(old), ruleLines(current)) },
    {
      name: 'Description' as const,
      lines: diffLines(descriptionLines(old), descriptionLines(current)),
    },
  ];
  return parts
    .filter(({ lines }) => lines.some(({ kind }) => kind !== 'same'))
    .map(({ name, lines }) => ({ name, lines: shorten(lines) }));
}

const valueLines = (parameter: ConfigParameter | null) =>
  parameter === null ? [] : JSON.stringify(parameter.value, null, 2).split('\n');

const ruleLines = (parameter: ConfigParameter | null) =>
  (parameter?.rules ?? []).map((rule) => `${describeRule(rule)} → ${JSON.stringify(rule.value)}`);

const descriptionLines = (parameter: ConfigParameter | null) =>
  parameter?.description ? parameter.description.split('\n') : [];

/** Replaces equal lines far from any difference by one line with their number. */
function shorten(lines: DiffLine[]): DiffLine[] {
  const isNear = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1)
      .some(({ kind }) => kind !== 'same'),
  );
  const shown: DiffLine[] = [];
  let left_out = 0;
  const close = () => {
    if (left_out > 0) shown.push({ kind: 'same', text: `… ${left_out} more` });
    left_out = 0;
  };
  for (const [index, line] of lines.entries()) {
    if (!isNear[index]) {
      left_out += 1;
      continue;
    }
    close();
    shown.push(line);
  }
  close();
  return shown;
}
