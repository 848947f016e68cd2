import {
  NO_CHANGES,
  sayChange,
  sayCounts,
  sayEffects,
  sayField,
  sayRole,
  sayVersion,
  shownFields,
} from '@overworld/contract/definitions/plan-words';
import type { ShownPlan } from '@overworld/contract/definitions/plan-words';
import { writeExactly } from '../../platform/json/exact-json.ts';

/**
 * Writes a plan for a reader: a line for each definition, one for each member that differs, and a sentence for
 * each effect.
 */
export function showPlan({ plan, role, changes, effects }: ShownPlan): string {
  if (changes.length === 0) return NO_CHANGES;
  const effectsOf = sayEffects(effects);
  const lines = changes.flatMap((change) => {
    const version = sayVersion(change);
    return [
      `${sayChange(change)}${version === null ? '' : `: ${version}`}`,
      ...shownFields(change).map((field) => `    ${sayField(field, writeExactly)}`),
      ...effectsOf(change).map((words) => `  ${words}`),
    ];
  });
  return [...lines, '', sayCounts(changes), ...sayRole(role), `Plan ${plan}`].join('\n');
}
