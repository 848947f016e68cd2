import type { AuditAction } from '@overworld/contract/games/audit-actions';
import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import { MAX_EXPERIMENTS } from '@overworld/contract/remote-config/experiment-limits';
import type { Actor } from '../../platform/audit.ts';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { requireUnused } from '../../platform/definition-uses.ts';
import type { EndangeredThing, ListUses } from '../../platform/definition-uses.ts';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import { changeDefinitions } from '../../platform/game-change.ts';
import { badRequest, conflict } from '../../platform/errors.ts';
import type { Work } from '../../platform/game-change.ts';
import { notFoundIn } from '../../platform/other-environment.ts';
import { nameOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { requireStats } from '../../platform/players/stat-conditions.ts';
import { readDefinition, readExactDefinition, writeDefinition } from './definition.ts';
import type { Definition, SentChange, SentExperiment } from './definition.ts';
import { deleteExposures } from './exposures/exposure-store.ts';
import { requireRevenue } from './revenue.ts';
import type { FindRevenueSettings } from './revenue.ts';
import { requireChangeable, requireStartable } from './rules.ts';
import type { Schedule } from './rules.ts';
import { shipValues } from './shipping.ts';
import * as store from './store.ts';
import type { ExperimentKey, StoredExperiment } from './store.ts';

/** Changes and reads remote configs, as experiments need it. Another feature implements this. */
export interface ConfigEditor {
  edit(
    database: Database,
    key: Tenant,
    edit: (tx: Queryable, parameters: Parameters) => Promise<Parameters>,
    expected_version: number | undefined,
    actor: Actor,
  ): Promise<unknown>;
  listKeys(tx: Queryable, key: Tenant): Promise<string[]>;
  /** Lists the scheduled changes that are coming or running. */
  listSchedules(tx: Queryable, key: Tenant): Promise<Schedule[]>;
}

type Parameters = Record<string, ConfigParameter>;

/** The maximum number of exposures that one statement deletes. This takes 0.1 s. */
const MAX_DELETED_AT_ONCE = 10_000;

/**
 * Makes the functions that change experiments. The changes of a game run one after the other. Each change is
 * written to the audit log, and clients see it at once.
 */
export function createExperimentChanges(
  running: Pick<DefinitionCache<unknown>, 'invalidateOnCommit' | 'evict'>,
  configs: ConfigEditor,
  findRevenueSettings: FindRevenueSettings,
  listUses: ListUses,
) {
  const change = <T>(
    database: Database,
    tenant: Tenant,
    actor: Actor,
    work: Work<T>,
  ): Promise<T> => {
    const kept = { game_id: tenant.game_id, key: nameOfTenant(tenant), actor };
    return changeDefinitions(database, running, kept, work);
  };

  return {
    create: (database: Database, tenant: Tenant, sent: SentExperiment, actor: Actor) =>
      change(database, tenant, actor, async (tx) => {
        const { name, description = '', share, exact } = sent;
        await requireConditionStats(tx, tenant.game_id, exact);
        if ((await store.countExperiments(tx, tenant)) >= MAX_EXPERIMENTS) throw tooMany();
        const definition = writeDefinition({ condition: null, ...exact });
        const settings = { name, description, share, definition };
        const author = actor.account?.email ?? null;
        const created = await store.insertExperiment(tx, tenant, settings, author);
        await note(tx, actor, tenant, 'create_experiment', created, { share });
        return created;
      }),

    update: (
      database: Database,
      key: ExperimentKey,
      { exact, ...settings }: SentChange,
      actor: Actor,
    ) =>
      change(database, key, actor, async (tx) => {
        const known = await getExperiment(tx, key);
        requireChangeable(known, { ...settings, ...exact });
        await requireConditionStats(tx, key.game_id, exact);
        const definition = writeDefinition({ ...readExactDefinition(known.definition), ...exact });
        const updated = await store.updateSettings(tx, key, { ...known, ...settings, definition });
        const changed = Object.keys(exact);
        await note(tx, actor, key, 'update_experiment', updated, { ...settings, changed });
        return updated;
      }),

    start: (database: Database, key: ExperimentKey, actor: Actor) =>
      change(database, key, actor, async (tx) => {
        const known = await getExperiment(tx, key);
        const others = await store.listRunning(tx, key);
        const keys = await configs.listKeys(tx, key);
        requireStartable(known, others, keys, await configs.listSchedules(tx, key));
        const { metrics } = readDefinition(known.definition);
        requireRevenue(metrics, await findRevenueSettings(tx, key.game_id));
        const started = await store.updateState(tx, key, 'running');
        await note(tx, actor, key, 'start_experiment', started);
        return started;
      }),

    stop: (database: Database, key: ExperimentKey, actor: Actor) =>
      change(database, key, actor, async (tx) => {
        const known = await getExperiment(tx, key);
        if (known.state !== 'running') throw conflict('The experiment is not running');
        const stopped = await store.updateState(tx, key, 'stopped');
        await note(tx, actor, key, 'stop_experiment', stopped);
        return stopped;
      }),

    async ship(
      database: Database,
      key: ExperimentKey,
      { variant, config_version }: { variant: number; config_version?: number },
      actor: Actor,
    ) {
      let shipped: StoredExperiment | undefined;
      const ship = async (tx: Queryable, parameters: Parameters) => {
        const known = await getExperiment(tx, key);
        const { variants } = readDefinition(known.definition);
        if (variant >= variants.length) {
          throw badRequest(`variant must be at most ${variants.length - 1}`);
        }
        if (known.state === 'draft') throw conflict('The experiment has not been started');
        if (known.state === 'shipped') throw conflict('The experiment has been shipped before');
        shipped = await store.updateState(tx, key, 'shipped', variant);
        const { name } = variants[variant]!;
        await note(tx, actor, key, 'ship_experiment', shipped, { variant: name });
        await running.invalidateOnCommit(tx, nameOfTenant(key));
        return shipValues(parameters, known, variant);
      };
      await configs.edit(database, key, ship, config_version, actor);
      running.evict(nameOfTenant(key));
      return shipped!;
    },

    async delete(database: Database, key: ExperimentKey, actor: Actor) {
      await requireDeletable(database, key, listUses);
      // There may be millions of exposures. Most of them are deleted before the transaction begins, so that
      // the transaction is short.
      while ((await deleteExposures(database, key, MAX_DELETED_AT_ONCE)) > 0);
      await change(database, key, actor, async (tx) => {
        const known = await requireDeletable(tx, key, listUses);
        // This statement waits for servers that are writing exposures of the experiment.
        await store.deleteExperiment(tx, key);
        while ((await deleteExposures(tx, key, MAX_DELETED_AT_ONCE)) > 0);
        await note(tx, actor, key, 'delete_experiment', known);
      });
    },
  };
}

/** @throws ApiError 400 that names a part of the condition which is about a statistic that the game lacks. */
export const requireConditionStats = (
  tx: Queryable,
  game_id: string,
  { condition }: Partial<Definition>,
): Promise<void> => requireStats(tx, game_id, condition?.properties ?? [], 'condition.properties');

/** @throws ApiError 404 when there is no such experiment; it names the environment that has it. */
export async function getExperiment(
  queryable: Queryable,
  key: ExperimentKey,
): Promise<StoredExperiment> {
  const found = await store.findExperiment(queryable, key);
  if (found !== null) return found;
  const { experiment_id } = key;
  throw await notFoundIn(key, 'Experiment', (tenant) =>
    store.findExperiment(queryable, { ...tenant, experiment_id }),
  );
}

async function requireDeletable(
  queryable: Queryable,
  key: ExperimentKey,
  listUses: ListUses,
): Promise<StoredExperiment> {
  const known = await getExperiment(queryable, key);
  if (known.state === 'running') throw conflict('Stop the experiment before you delete it');
  await requireUnused(listUses, queryable, key.game_id, endangeredExperiment(known));
  return known;
}

export const endangeredExperiment = ({
  id: experiment_id,
  name,
}: Pick<StoredExperiment, 'id' | 'name'>): EndangeredThing => ({
  thing: { kind: 'experiment', experiment_id },
  named: `The experiment "${name}"`,
  advice: 'remove it from there first',
});

export const tooMany = () =>
  conflict(`An environment may have at most ${MAX_EXPERIMENTS} experiments: delete one first`);

const note = (
  tx: Queryable,
  actor: Actor,
  { game_id, environment }: Tenant,
  action: AuditAction,
  { id, name }: StoredExperiment,
  details: Record<string, unknown> = {},
) => {
  const described = { environment, experiment_id: id, ...details };
  return insertAuditEntry(tx, { actor, game_id }, action, name, described);
};
