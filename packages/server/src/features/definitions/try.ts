import type { Trial, tryDefinition } from '@overworld/contract/definitions/trials';
import type { Environment } from '@overworld/contract/common';
import type { BodyOf } from '@overworld/contract/operation';
import type {
  Definition,
  DefinitionKinds,
  TrialCall,
} from '../../platform/definitions/definition-kind.ts';
import type { EffectQuestion, FoundEffect } from '../../platform/definitions/effects.ts';
import { createPauses } from '../../platform/pauses.ts';
import { firstMoment } from './effects.ts';
import { checkDefinition } from './wanted.ts';

/**
 * Asks what a definition would have done in an environment, by the questions of a plan that has only this one.
 * @throws ApiError 400 for a mistake in the definition.
 */
export async function askTrial(
  kinds: DefinitionKinds,
  call: TrialCall,
  { game_id, tried_in }: { game_id: string; tried_in: Environment },
  document: BodyOf<typeof tryDefinition>,
): Promise<(EffectQuestion | FoundEffect)[]> {
  const { kind: name, key } = document;
  const definition = document.definition as Definition;
  checkDefinition({ kind: name, key, definition });
  const kind = kinds.get(name);
  const completed = kind.complete(definition, definition, key);
  if (kind.askTrialInTurns !== undefined) {
    const game = { database: call.database, game_id, tried_in };
    return kind.askTrialInTurns(game, { key, after: completed }, call);
  }
  return call.read(async (database) => {
    const before = await kind.list(database, game_id, createPauses());
    const wanted = new Map([[key, completed]]);
    const settled = kind.settle?.(wanted, before) ?? wanted;
    const after = new Map([...before, ...settled]);
    const game = { database, game_id, since: firstMoment(), tried_in, before, after };
    const change = { key, before: before.get(key) ?? null, after: after.get(key)! };
    return (await (kind.askTrial ?? kinds.findEffects(name))?.(game, change)) ?? [];
  });
}

/** Shows an effect as a trial. */
export const toTrial = ({ players = null, examples = [], ...effect }: FoundEffect): Trial => ({
  ...effect,
  players,
  examples,
});
