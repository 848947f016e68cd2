import { MAX_RUNNING_EXPERIMENTS } from '@overworld/contract/remote-config/experiment-limits';
import { conflict } from '../../platform/errors.ts';
import { parametersOf, readDefinition } from './definition.ts';
import type { Definition } from './definition.ts';
import type { StoredExperiment } from './store.ts';

/**
 * Of an experiment that was started only its words change, and its share grows: other changes would
 * give players the values of another variant.
 * @throws ApiError 409
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
 * @param keys Of the parameters of the config.
 * @throws ApiError 409 when it is no draft, or its parameters are not free.
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
  const unknown = parameters.find((key) => !keys.includes(key));
  if (unknown !== undefined) throw conflict(`The config has no parameter ${unknown}`);
  for (const other of others) {
    const taken = new Set(parametersOf(readDefinition(other.definition)));
    const shared = parameters.find((key) => taken.has(key));
    if (shared === undefined) continue;
    throw conflict(`The running experiment "${other.name}" already has the parameter ${shared}`);
  }
}
