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
  changes: ShownChange[];
}

/** Writes a plan for a reader: a line for each definition, and one for each member that differs. */
export function showPlan({ plan, changes }: Plan): string {
  if (changes.length === 0) return NO_CHANGES;
  const lines = changes.flatMap((change) => {
    const version = sayVersion(change);
    return [
      `${sayChange(change)}${version === null ? '' : `: ${version}`}`,
      ...shownFields(change).map((field) => `    ${sayField(field, writeExactly)}`),
    ];
  });
  return [...lines, '', sayCounts(changes), `Plan ${plan}`].join('\n');
}
