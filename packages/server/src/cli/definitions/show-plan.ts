import {
  NO_CHANGES,
  sayChange,
  sayCounts,
  sayField,
  sayVersion,
  shownFields,
} from '@overworld/contract/definitions/plan-words';
import type { ShownChange } from '@overworld/contract/definitions/plan-words';
import { writeExactly } from '../../platform/json/exact-json.ts';

export interface Plan {
  plan: string;
  digest: string;
  /** The role that an apply needs. */
  role: string;
  changes: ShownChange[];
  /** What the changes do; absent after an apply. */
  effects?: { kind: string; key: string; words: string }[];
}

/**
 * Writes a plan for a reader: a line for each definition, one for each member that differs, and a sentence for
 * each effect.
 */
export function showPlan({ plan, role, changes, effects = [] }: Plan): string {
  if (changes.length === 0) return NO_CHANGES;
  const idOf = ({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`;
  const words = Map.groupBy(effects, idOf);
  const lines = changes.flatMap((change) => {
    const version = sayVersion(change);
    return [
      `${sayChange(change)}${version === null ? '' : `: ${version}`}`,
      ...shownFields(change).map((field) => `    ${sayField(field, writeExactly)}`),
      ...(words.get(idOf(change)) ?? []).map((effect) => `  * ${effect.words}`),
    ];
  });
  const needed = role === 'developer' ? [] : [`The apply needs the role ${role}.`];
  return [...lines, '', sayCounts(changes), ...needed, `Plan ${plan}`].join('\n');
}
