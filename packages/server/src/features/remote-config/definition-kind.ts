import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Environment } from '@overworld/contract/common';
import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import type { Clock } from '../../platform/clock.ts';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import { badRequest, conflict } from '../../platform/errors.ts';
import { parseExactly, writeExactly } from '../../platform/json/exact-json.ts';
import { nameOfTenant } from '../../platform/players/player-key.ts';
import type { DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import { askConfigEffects } from './effects/ask-effects.ts';
import { requireUnchanged } from './experiment-parameters.ts';
import type { ListRunningParameters } from './experiment-parameters.ts';
import { storeNext } from './next-version.ts';
import { findSizeProblem, requireSoundParameters } from './parameters.ts';
import { applyDueSchedules } from './schedules/apply.ts';
import { requireRuleStats } from './rule-stats.ts';
import { getCurrentVersion } from './store.ts';

type Parameters = Record<string, ConfigParameter>;

/** The configs of both environments as files. Both always exist. */
export function configKind(
  configs: Pick<DefinitionCache<unknown>, 'invalidateOnCommit' | 'evict'>,
  clock: Clock,
  listRunningParameters: ListRunningParameters,
): DefinitionKind {
  const store: DefinitionKind['create'] = async (
    { tx, game_id, actor },
    environment,
    { parameters },
  ) => {
    const key = { game_id, environment: environment as Environment };
    if ((await applyDueSchedules(tx, key, clock(), listRunningParameters)) > 0) {
      throw conflict('A scheduled change of it begins or ends at this moment. Make a new plan');
    }
    const current = await getCurrentVersion(tx, key);
    const next = textOf(parameters as Parameters);
    await requireRuleStats(tx, game_id, next.text);
    requireUnchanged(await listRunningParameters(tx, key), current.parameters, next.text);
    const origin = { restored_version: null, schedule: null };
    const after = await storeNext(tx, key, current, next, origin, actor);
    return { before: current.version, after };
  };
  return {
    name: 'remote_config',
    async list(tx, game_id) {
      const listed = new Map<string, { parameters: Parameters }>();
      for (const environment of ENVIRONMENTS) {
        const { parameters } = await getCurrentVersion(tx, { game_id, environment });
        listed.set(environment, { parameters: parseExactly(parameters) as Parameters });
      }
      return listed;
    },
    complete({ parameters }, exact) {
      requireSoundParameters(parameters as Parameters);
      const problem = findSizeProblem(textOf(exact.parameters as Parameters));
      if (problem !== null) throw badRequest(problem);
      return { parameters: exact.parameters };
    },
    // Both configs always exist.
    requireRoom: () => Promise.resolve(),
    create: store,
    update: store,
    askEffects: askConfigEffects(listRunningParameters),
    async announce(tx, game_id) {
      const names = ENVIRONMENTS.map((environment) => nameOfTenant({ game_id, environment }));
      for (const name of names) await configs.invalidateOnCommit(tx, name);
      return () => names.forEach((name) => configs.evict(name));
    },
  };
}

const textOf = (parameters: Parameters) => ({
  text: writeExactly(parameters),
  count: Object.keys(parameters).length,
});
