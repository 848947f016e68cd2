import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import type { Queryable } from '../../platform/database/database.ts';
import { conflict } from '../../platform/errors.ts';
import { parseJsonText } from '../../platform/json/parse-json.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

/**
 * Lists the parameters that running experiments use. The map's key is the key of a parameter, and its
 * value is the name of the experiment. Another feature provides this function.
 */
export type ListHeld = (tx: Queryable, key: Tenant) => Promise<ReadonlyMap<string, string>>;

/**
 * Finds the parameters of running experiments that a change would remove, or whose default value would get
 * another type. After such a change, players of one variant would get values that the game does not expect.
 * @param before The parameters before the change, as JSON; `after` has the parameters after it.
 * @returns a map from the key of each found parameter to the reason against the change, in words.
 */
export function findHeld(
  held: ReadonlyMap<string, string>,
  before: string,
  after: string,
): Map<string, string> {
  const problems = new Map<string, string>();
  if (held.size === 0) return problems;
  const [old, changed] = [readTypes(before), readTypes(after)];
  for (const [key, experiment] of held) {
    if (!old.has(key) || old.get(key) === changed.get(key)) continue;
    const change = changed.has(key)
      ? `would change from ${old.get(key)} to ${changed.get(key)}`
      : 'would be removed';
    problems.set(
      key,
      `the parameter ${key} ${change}, and the running experiment "${experiment}" has it: stop the experiment first`,
    );
  }
  return problems;
}

/** @throws ApiError 409 when `findHeld` finds a parameter. The error names the experiment. */
export function requireNotHeld(
  held: ReadonlyMap<string, string>,
  before: string,
  after: string,
): void {
  for (const problem of findHeld(held, before, after).values()) {
    throw conflict(`With this change, ${problem}`);
  }
}

const readTypes = (text: string): Map<string, string> =>
  new Map(
    Object.entries(parseJsonText(text) as Record<string, ConfigParameter>).map(
      ([key, { value }]) => [key, typeInWords(value)],
    ),
  );

function typeInWords(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
