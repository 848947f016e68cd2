import { MAX_RUNNING_EXPERIMENTS } from '@overworld/contract/remote-config/experiment-limits';
import type { Queryable } from '../../platform/database/database.ts';
import { conflict } from '../../platform/errors.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { parametersOf, readDefinition } from './definition.ts';
import type { Definition } from './definition.ts';
import { listRunning } from './store.ts';
import type { StoredExperiment } from './store.ts';

type Experiment = Pick<StoredExperiment, 'id' | 'name'>;

/** A scheduled change of the config that is coming or running. */
export interface Schedule {
  id: string;
  name: string;
  keys: readonly string[];
  state: string;
  starts_at: string;
  /** Null if its values stay. */
  ends_at: string | null;
}

/**
 * Once an experiment has started, only its name and description can change, and its share can only grow.
 * Other changes would give players the values of another variant.
 * @throws ApiError 409 for another change.
 */
export function requireChangeable(
  { state, share: current_share }: Pick<StoredExperiment, 'state' | 'share'>,
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
 * @param schedules The scheduled changes of the config that are coming or running.
 * @throws ApiError 409 when the experiment is no draft, too many experiments run, the config lacks a
 * parameter of the experiment, or another running experiment or a scheduled change has the same parameter.
 */
export function requireStartable(
  { state, definition }: StoredExperiment,
  others: readonly StoredExperiment[],
  keys: readonly string[],
  schedules: readonly Schedule[],
): void {
  if (state !== 'draft') throw conflict('The experiment has been started before');
  if (others.length >= MAX_RUNNING_EXPERIMENTS) {
    throw conflict(
      `At most ${MAX_RUNNING_EXPERIMENTS} experiments may run in an environment: stop one first`,
    );
  }
  const parameters = parametersOf(readDefinition(definition));
  const taken = findByParameter(others);
  const unknown = parameters.find((key) => !keys.includes(key));
  if (unknown !== undefined) throw conflict(`The config has no parameter ${unknown}`);
  const shared = parameters.find((key) => taken.has(key));
  if (shared !== undefined) {
    const { id, name } = taken.get(shared)!;
    throw conflict(`The running experiment "${name}" already has the parameter ${shared}`, {
      experiment_id: id,
      key: shared,
    });
  }
  requireNotScheduled(parameters, schedules);
}

/** A scheduled change would give other values to the control while the experiment runs. */
function requireNotScheduled(parameters: readonly string[], schedules: readonly Schedule[]): void {
  for (const { id, name, keys, state, starts_at, ends_at } of schedules) {
    const key = parameters.find((each) => keys.includes(each));
    if (key === undefined) continue;
    const problem =
      state === 'coming'
        ? `will change the parameter ${key} at ${starts_at}: wait until it is over, or cancel it first`
        : `has changed the parameter ${key} until ${ends_at}: wait for its end, or end it first`;
    throw conflict(`The scheduled change "${name}" ${problem}`, { schedule_id: id, key });
  }
}

/** Returns each parameter that a running experiment of the environment has, with the experiment. */
export const listRunningParameters = async (
  tx: Queryable,
  tenant: Tenant,
): Promise<Map<string, Experiment>> => findByParameter(await listRunning(tx, tenant));

const findByParameter = (experiments: readonly StoredExperiment[]): Map<string, Experiment> =>
  new Map(
    experiments.flatMap(({ id, name, definition }) =>
      parametersOf(readDefinition(definition)).map((key) => [key, { id, name }] as const),
    ),
  );
