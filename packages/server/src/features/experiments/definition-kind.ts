import { isDeepStrictEqual } from 'node:util';
import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Environment } from '@overworld/contract/common';
import { MAX_EXPERIMENT_BYTES } from '@overworld/contract/remote-config/experiments';
import { MAX_EXPERIMENTS } from '@overworld/contract/remote-config/experiment-limits';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import type {
  Definition as FileDefinition,
  DefinitionChange,
  DefinitionKind,
} from '../../platform/definitions/definition-kind.ts';
import type { FoundEffect } from '../../platform/definitions/effects.ts';
import { keyThings, listNamesakes, readKey } from '../../platform/definitions/keys.ts';
import { readOnce } from '../../platform/definitions/read-once.ts';
import { ApiError, badRequest, notFound } from '../../platform/errors.ts';
import { nameOfTenant } from '../../platform/players/player-key.ts';
import { endangeredExperiment, getExperiment, requireConditionStats, tooMany } from './changes.ts';
import { readExactDefinition, requireSound, writeDefinition } from './definition.ts';
import type { Definition } from './definition.ts';
import { requireChangeable } from './rules.ts';
import * as store from './store.ts';
import type { ExperimentKey, StoredExperiment } from './store.ts';

/** The part of an experiment that files state, as it is stored. */
type Settings = Pick<StoredExperiment, 'description' | 'share' | 'definition'>;

/** Experiments as files. Their states are not in files: only a person starts, stops and ships experiments. */
export function experimentKind(
  running: Pick<DefinitionCache<unknown>, 'invalidateOnCommit' | 'evict'>,
): DefinitionKind {
  /** The members that are no part of a listed definition. */
  const stored = new WeakMap<FileDefinition, Pick<StoredExperiment, 'id' | 'name' | 'state'>>();
  const readNames = readOnce(async ({ tx, game_id }) =>
    keyThings(await store.listNames(tx, game_id)),
  );
  const find = async (change: DefinitionChange, key: string): Promise<ExperimentKey> => {
    const found = (await readNames(change)).get(key);
    if (found === undefined) throw notFound('Experiment not found');
    const { environment, id: experiment_id } = found;
    return { game_id: change.game_id, environment, experiment_id };
  };
  return {
    name: 'experiment',
    async list(tx, game_id, pause) {
      const listed = new Map<string, FileDefinition>();
      for (const [key, experiment] of keyThings(await store.listOfGame(tx, game_id))) {
        await pause();
        const definition = show(experiment);
        const { id, name, state } = experiment;
        stored.set(definition, { id, name, state });
        listed.set(key, definition);
      }
      return listed;
    },
    complete(definition, exact, key) {
      readKey(key);
      requireSound(definition as unknown as Definition);
      const { description = '', share } = definition;
      const settings = settingsOf({ ...exact, description, share });
      if (Buffer.byteLength(settings.definition) > MAX_EXPERIMENT_BYTES) {
        throw badRequest(
          `variants, metrics and condition must have at most ${MAX_EXPERIMENT_BYTES / 1024} KB in all`,
        );
      }
      return show(settings);
    },
    async listIds(tx, game_id) {
      const keyed = keyThings(await store.listNames(tx, game_id));
      return new Map([...keyed].map(([key, { id }]) => [key, id]));
    },
    // With an experiment its results would be lost, so a prune deletes drafts alone.
    isGone: (definition) => stored.get(definition)?.state !== 'draft',
    // The limit is of an environment, and not of the game.
    requireRoom: () => Promise.resolve(),
    async create({ tx, game_id, actor }, key, definition) {
      const { environment, name } = readKey(key);
      const tenant = { game_id, environment };
      if ((await store.countExperiments(tx, tenant)) >= MAX_EXPERIMENTS) throw tooMany();
      await requireConditionStats(tx, game_id, definition as Partial<Definition>);
      const settings = { name, ...settingsOf(definition) };
      await store.insertExperiment(tx, tenant, settings, actor.account?.email ?? null);
    },
    async update(change, key, definition) {
      const { tx } = change;
      const at = await find(change, key);
      const known = await getExperiment(tx, at);
      const wanted = settingsOf(definition);
      const changes = changesOf(known, wanted);
      requireChangeable(known, changes);
      // The condition of an experiment that has ended may name a statistic that was deleted since.
      await requireConditionStats(tx, change.game_id, changes);
      await store.updateSettings(tx, at, { ...known, ...wanted });
    },
    async delete(change, key) {
      const { tx, game_id } = change;
      const at = await find(change, key);
      // Without it, the others of its name would have other keys.
      for (const { thing, name } of listNamesakes(await readNames(change))) {
        const { environment, id: experiment_id } = thing;
        await store.renameExperiment(tx, { game_id, environment, experiment_id }, name);
        thing.name = name;
      }
      await store.deleteExperiment(tx, at);
    },
    listEndangered(_change, { before, after }) {
      return after === null ? endangeredExperiment(stored.get(before)!) : null;
    },
    findUsedThing: (_key, before) => endangeredExperiment(stored.get(before)!).thing,
    async askEffects(_game, { key, before, after }) {
      const state = before && stored.get(before)?.state;
      if (!before || !after || !state || state === 'draft') return [];
      const { environment } = readKey(key);
      const refusal = findRefusal(state, settingsOf(before), settingsOf(after));
      if (refusal !== null) return [isRefused(environment, refusal)];
      const [old, share] = [before.share as number, after.share as number];
      return share > old ? [raisesShare(environment, old, share)] : [];
    },
    async announce(tx, game_id) {
      const names = ENVIRONMENTS.map((environment) => nameOfTenant({ game_id, environment }));
      for (const name of names) await running.invalidateOnCommit(tx, name);
      return () => names.forEach((name) => running.evict(name));
    },
  };
}

/** A copy of a tried experiment can raise the share of the running one of the same name. */
const raisesShare = (environment: Environment, before: number, share: number): FoundEffect => ({
  about: 'players',
  environment,
  part: 'share',
  state: 'counted',
  numbers: { share_before: before, share },
  words: `The experiment is running: ${share}% of the players whom it is about take part at once, instead of ${before}%.`,
});

/** Returns the words of the refusal of a change of an experiment that has started; null if it is allowed. */
function findRefusal(state: StoredExperiment['state'], before: Settings, after: Settings) {
  try {
    requireChangeable({ state, share: before.share }, changesOf(before, after));
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.body.error;
  }
}

const isRefused = (environment: Environment, words: string): FoundEffect => ({
  about: 'uses',
  environment,
  part: null,
  state: 'counted',
  numbers: {},
  words: `The experiment has started, so an apply is refused: ${words}. Under another name it becomes a new draft.`,
});

function settingsOf({ description, share, ...rest }: FileDefinition): Settings {
  const { condition = null, variants, metrics } = rest as unknown as Definition;
  return {
    description: description as string,
    share: share as number,
    definition: writeDefinition({ condition, variants, metrics }),
  };
}

/** Shows the members that files have. */
function show({ description, share, definition }: Settings): FileDefinition {
  const { condition, variants, metrics } = readExactDefinition(definition);
  return { description, share, ...(condition !== null && { condition }), variants, metrics };
}

/** Returns what a change gives other values, of the parts that are fixed once an experiment has started. */
function changesOf(before: Settings, after: Settings): Partial<Definition> & { share: number } {
  const known: Record<string, unknown> = { ...readExactDefinition(before.definition) };
  const wanted = Object.entries(readExactDefinition(after.definition));
  const changed = wanted.filter(([name, value]) => !isDeepStrictEqual(known[name], value));
  return { ...Object.fromEntries(changed), share: after.share };
}
