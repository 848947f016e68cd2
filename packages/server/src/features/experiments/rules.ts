import { MAX_RUNNING_EXPERIMENTS } from '@overworld/contract/remote-config/experiment-limits';
import type { Queryable } from '../../platform/database/database.ts';
import { conflict } from '../../platform/errors.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { parametersOf, readDefinition } from './definition.ts';
import type { Definition } from './definition.ts';
import { listRunning } from './store.ts';
import type { StoredExperiment } from './store.ts';

/**
 * Once an experiment has started, only its name and description can change, and its share can only grow.
 * Other changes would give players the values of another variant.
 * @throws ApiError 409 for another change.
 */
export function requireChangeable(
  { state, share: current_share }: StoredExperiment,
  { condition, variants, metrics, share }: Partial<Definition> & { share?: number },
): void {
  if (state === 'draft') return;
  const fixed = Object.entries({ condition, variants, metrics }).find(
    ([, value]) => value !== undefined,
  );
  if (fixed) throw conflict(`${fixed[0]} can be changed in a draft only`);
  if (share === undefined || share === current_share) return;
  if (state !== 'running') throw conflict('The share of an experiment that has ended is fixed');
  if (share < current_share) throw conflict('The share of a running experiment can only be raised');
}

/**
 * @param others The running experiments of the environment.
 * @param keys Keys of the parameters of the config.
 * @throws ApiError 409 when the experiment is no draft, too many experiments run, the config lacks a
 * parameter of the experiment, or another running experiment has the same parameter.
 */
export function requireStartable(
  { state, definition }: StoredExperiment,
  others: readonly StoredExperiment[],
  keys: readonly string[],
): void {
  if (state !== 'draft') throw conflict('The experiment has been started before');
  if (others.length >= MAX_RUNNING_EXPERIMENTS) {
    throw conflict(
      `At most ${MAX_RUNNING_EXPERIMENTS} experiments may run in an environment: stop one first`,
    );
  }
  const parameters = parametersOf(readDefinition(definition));
  const taken = namesByParameter(others);
  const unknown = parameters.find((key) => !keys.includes(key));
  if (unknown !== undefined) throw conflict(`The config has no parameter ${unknown}`);
  const shared = parameters.find((key) => taken.has(key));
  if (shared === undefined) return;
  throw conflict(
    `The running experiment "${taken.get(shared)}" already has the parameter ${shared}`,
  );
}

/** Returns each parameter that a running experiment of the environment uses, with the experiment's name. */
export const listRunningParameters = async (
  tx: Queryable,
  tenant: Tenant,
): Promise<Map<string, string>> => namesByParameter(await listRunning(tx, tenant));

const namesByParameter = (experiments: readonly StoredExperiment[]): Map<string, string> =>
  new Map(
    experiments.flatMap(({ name, definition }) =>
      parametersOf(readDefinition(definition)).map((key) => [key, name] as const),
    ),
  );
