import { isDeepStrictEqual } from 'node:util';
import type { Environment } from '@overworld/contract/common';
import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import type { AskEffects } from '../../../platform/definitions/definition-kind.ts';
import { LATELY } from '../../../platform/definitions/effects.ts';
import type { EffectQuestion, FoundEffect } from '../../../platform/definitions/effects.ts';
import { writeExactly } from '../../../platform/json/exact-json.ts';
import type { ListRunningParameters } from '../experiment-parameters.ts';
import type { ConfigEffectInput } from './config-effect.ts';
import { decisiveOf } from './decisive.ts';
import { findScheduledValues } from './scheduled-values.ts';

type Parameters = Readonly<Record<string, ConfigParameter>>;

const MODULE = new URL('./config-effect.ts', import.meta.url).href;

/** Asks for each parameter that a plan changes how many players get another value. */
export function askConfigEffects(listRunningParameters: ListRunningParameters): AskEffects {
  return async ({ database, game_id, since }, { key, before, after }) => {
    const environment = key as Environment;
    const tenant = { game_id, environment };
    const [old, next] = [parametersOf(before), parametersOf(after)];
    const changed = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
      (name) => !isDeepStrictEqual(decisiveOf(old, name), decisiveOf(next, name)),
    );
    const running = await listRunningParameters(database, tenant);
    const counted = changed.filter((name) => !running.has(name));
    const input: ConfigEffectInput = {
      ...tenant,
      since,
      parameters: counted.map((name) => ({
        key: name,
        before: textOf(old, name),
        after: textOf(next, name),
      })),
    };
    const question: EffectQuestion = {
      module: MODULE,
      input,
      uncounted: {
        about: 'players',
        environment,
        part: null,
        words: `the players of ${environment} ${LATELY} who get other values`,
      },
    };
    return [
      ...changed
        .filter((name) => running.has(name))
        .map((name) => hasExperiment(environment, name, running.get(name)!.name)),
      ...(await findScheduledValues(database, tenant, changed, next)),
      ...(counted.length > 0 ? [question] : []),
    ];
  };
}

/** The values of a parameter that a running experiment has cannot change, so they are not counted. */
const hasExperiment = (
  environment: Environment,
  parameter: string,
  experiment: string,
): FoundEffect => ({
  about: 'uses',
  environment,
  part: parameter,
  state: 'counted',
  numbers: { uses: 1 },
  words: `The running experiment "${experiment}" has \`${parameter}\`: an apply is refused until it is stopped or shipped.`,
});

const parametersOf = (definition: Record<string, unknown> | null): Parameters =>
  (definition?.parameters ?? {}) as Parameters;

const textOf = (parameters: Parameters, name: string): string | null => {
  const decisive = decisiveOf(parameters, name);
  return decisive === null ? null : writeExactly({ [name]: decisive });
};
