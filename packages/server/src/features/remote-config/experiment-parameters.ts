import { isDeepStrictEqual } from 'node:util';
import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import type { Queryable } from '../../platform/database/database.ts';
import { conflict } from '../../platform/errors.ts';
import { parseExactly } from '../../platform/json/exact-json.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

/** The running experiment of each parameter that has one. The keys are those of the parameters. */
export type RunningParameters = ReadonlyMap<string, { id: string; name: string }>;

/** Lists the parameters that running experiments have. Another feature provides this function. */
export type ListRunningParameters = (tx: Queryable, key: Tenant) => Promise<RunningParameters>;

/**
 * Finds the parameters of running experiments to which a change would give another value or other rules.
 * The control gets the config as it is, so such a change would also change the control.
 * @param before The parameters before the change, as JSON; `after` has the parameters after it.
 * @returns a map from the key of each found parameter to the reason against the change, in words.
 */
export function findChanged(
  running: RunningParameters,
  before: string,
  after: string,
): Map<string, string> {
  const problems = new Map<string, string>();
  if (running.size === 0) return problems;
  const [old, changed] = [readSettings(before), readSettings(after)];
  for (const [key, { name }] of running) {
    const setting = changed.get(key);
    if (isDeepStrictEqual(old.get(key), setting)) continue;
    problems.set(
      key,
      `the parameter ${key} would ${setting ? 'change' : 'be removed'}, and the running experiment "${name}" has it: stop or ship the experiment first`,
    );
  }
  return problems;
}

/** @throws ApiError 409 when `findChanged` finds a parameter. The error names the experiment. */
export function requireUnchanged(running: RunningParameters, before: string, after: string): void {
  for (const [key, problem] of findChanged(running, before, after)) {
    throw conflict(`With this change, ${problem}`, { experiment_id: running.get(key)!.id, key });
  }
}

/** Reads the parts of each parameter that decide about the values of players. */
const readSettings = (text: string): Map<string, Pick<ConfigParameter, 'value' | 'rules'>> =>
  new Map(
    Object.entries(parseExactly(text) as Record<string, ConfigParameter>).map(
      ([key, { value, rules = [] }]) => [key, { value, rules }],
    ),
  );
