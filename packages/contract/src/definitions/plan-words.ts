/** The words of a plan. The command line and the dashboard show the same ones. */

export interface ShownField {
  path: string;
  before?: unknown;
  after?: unknown;
}

export interface ShownChange {
  action: 'create' | 'update' | 'delete';
  kind: string;
  key: string;
  fields: ShownField[];
  /** Only of an apply, and only of kinds whose versions are kept. */
  version?: { before: number; after: number };
}

export interface ShownEffect {
  kind: string;
  key: string;
  words: string;
}

/** A plan, or the changes that an apply has made. */
export interface ShownPlan {
  plan: string;
  /** The role that an apply needs. */
  role: string;
  changes: readonly ShownChange[];
  /** The effects of the changes; absent after an apply. */
  effects?: readonly ShownEffect[];
}

const SIGNS = { create: '+', update: '~', delete: '-' };

export const NO_CHANGES = 'No changes.';

/** Names a change, such as `~ remote_config "production"`. */
export const sayChange = ({ action, kind, key }: ShownChange): string =>
  `${SIGNS[action]} ${kind} ${JSON.stringify(key)}`;

/** Lists the members that a change gives other values. What a deleted definition had is left out. */
export const shownFields = ({ action, fields }: ShownChange): readonly ShownField[] =>
  action === 'delete' ? [] : fields;

/**
 * Tells the values of a member, such as `points: 5 → 10`.
 * @param write Writes a value as JSON.
 */
export function sayField(
  { path, ...field }: ShownField,
  write: (value: unknown) => string,
): string {
  const show = (value: unknown) => (value === undefined ? '(none)' : write(value));
  if (!('before' in field)) return `${path}: ${show(field.after)}`;
  return `${path}: ${show(field.before)} → ${show(field.after)}`;
}

/** Tells the versions of a change that was made; null if its kind has none. */
export const sayVersion = ({ version }: ShownChange): string | null =>
  version === undefined ? null : `version ${version.after}, after version ${version.before}`;

/** Counts the changes: `1 to make, 2 to change, 0 to delete.` */
export function sayCounts(changes: readonly ShownChange[]): string {
  const count = (action: ShownChange['action']) =>
    changes.filter((change) => change.action === action).length;
  return `${count('create')} to make, ${count('update')} to change, ${count('delete')} to delete.`;
}

/** Names the role that an apply needs, unless whoever may plan has it. @returns at most one sentence. */
export const sayRole = (role: string): readonly string[] =>
  role === 'developer' ? [] : [`The apply needs the role ${role}.`];

/** Groups the effects of a plan by their changes. @returns a function that lists the sentences of a change. */
export function sayEffects(effects: readonly ShownEffect[] = []) {
  const byChange = new Map<string, string[]>();
  for (const effect of effects) {
    const said = byChange.get(idOf(effect)) ?? [];
    byChange.set(idOf(effect), said);
    said.push(`* ${effect.words}`);
  }
  return (change: ShownChange): readonly string[] => byChange.get(idOf(change)) ?? [];
}

const idOf = ({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`;
