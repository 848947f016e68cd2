import { writeExactly } from '../../platform/json/exact-json.ts';

export interface Plan {
  plan: string;
  digest: string;
  changes: {
    action: 'create' | 'update' | 'delete';
    kind: string;
    key: string;
    fields: { path: string; before?: unknown; after?: unknown }[];
  }[];
}

const SIGNS = { create: '+', update: '~', delete: '-' };

/** Writes a plan for a reader: a line for each definition, and one for each member that differs. */
export function showPlan({ plan, changes }: Plan): string {
  if (changes.length === 0) return 'No changes.';
  const lines = changes.flatMap(({ action, kind, key, fields }) => [
    `${SIGNS[action]} ${kind} ${JSON.stringify(key)}`,
    ...(action === 'delete' ? [] : fields.map((field) => `    ${showField(field)}`)),
  ]);
  const count = (action: string) => changes.filter((change) => change.action === action).length;
  return [
    ...lines,
    '',
    `${count('create')} to make, ${count('update')} to change, ${count('delete')} to delete.`,
    `Plan ${plan}`,
  ].join('\n');
}

function showField({ path, ...field }: Plan['changes'][number]['fields'][number]): string {
  const show = (value: unknown) => (value === undefined ? '(none)' : writeExactly(value));
  if (!('before' in field)) return `${path}: ${show(field.after)}`;
  return `${path}: ${show(field.before)} → ${show(field.after)}`;
}
