import { VERSION_CONFLICT } from '@overworld/contract/answers';
import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import type { Actor } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { changeDefinitions } from '../../platform/game-change.ts';
import { lockGame } from '../../platform/game-lock.ts';
import { parseExactly, writeExactly } from '../../platform/json/exact-json.ts';
import { parseJsonText } from '../../platform/json/parse-json.ts';
import { nameOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { findSizeProblem } from './parameters.ts';
import { requireUnchanged } from './experiment-parameters.ts';
import type { ListRunningParameters } from './experiment-parameters.ts';
import { insertNext } from './next-version.ts';
import type { ParametersText } from './parameters.ts';
import { applyDueSchedules } from './schedules/apply.ts';
import { listOpenSchedules } from './schedules/store.ts';
import { requireRuleStats } from './rule-stats.ts';
import { findVersion, getCurrentVersion } from './store.ts';

/** On this channel servers tell each other which config has changed. */
export const CONFIG_CHANNEL = 'overworld_remote_config';

type Parameters = Record<string, ConfigParameter>;

export function createConfigChanges(
  configs: Pick<DefinitionCache<unknown>, 'invalidateOnCommit' | 'evict'>,
  clock: Clock,
  listRunningParameters: ListRunningParameters,
) {
  const change = <T>(
    database: Database,
    key: Tenant,
    actor: Actor,
    work: (tx: Queryable, now: Date) => Promise<T>,
  ): Promise<T> => {
    const kept = { game_id: key.game_id, key: nameOfTenant(key), actor };
    return changeDefinitions(database, configs, kept, async (tx) => {
      const now = clock();
      await applyDueSchedules(tx, key, now, listRunningParameters);
      return work(tx, now);
    });
  };

  const getExpected = async (tx: Queryable, key: Tenant, expected_version: number | undefined) => {
    const current = await getCurrentVersion(tx, key);
    if (expected_version !== undefined && expected_version !== current.version) {
      throw conflict(VERSION_CONFLICT, { server_version: current.version });
    }
    return current;
  };

  const applyNow = async (database: Database, key: Tenant) => {
    const name = nameOfTenant(key);
    await database.transaction(async (tx) => {
      await lockGame(tx, key.game_id);
      const applied = await applyDueSchedules(tx, key, clock(), listRunningParameters);
      if (applied > 0) await configs.invalidateOnCommit(tx, name);
    });
    configs.evict(name);
  };
  const applying = new Map<string, Promise<void>>();

  return {
    /**
     * @throws ApiError 400 when a rule names a statistic that the game lacks, 409 when `expected_version` is
     * given and is not the current version, or when a running experiment has a parameter that would change or be
     * removed.
     */
    put: (
      database: Database,
      key: Tenant,
      parameters: ParametersText,
      expected_version: number | undefined,
      actor: Actor,
    ) =>
      change(database, key, actor, async (tx) => {
        const current = await getExpected(tx, key, expected_version);
        await requireRuleStats(tx, key.game_id, parameters.text);
        requireUnchanged(await listRunningParameters(tx, key), current.parameters, parameters.text);
        const origin = { restored_version: null, schedule: null };
        await insertNext(tx, key, current, parameters, origin, actor);
        return getCurrentVersion(tx, key);
      }),

    /**
     * Changes the current parameters together with other rows, in one transaction that holds the lock of
     * the game.
     * @param edit Gets the parameters as `parseExactly` returns them, and returns the changed parameters.
     * @throws ApiError 409 as `put` does, and when the config would be too large for `put`.
     */
    edit: (
      database: Database,
      key: Tenant,
      edit: (tx: Queryable, parameters: Parameters) => Promise<Parameters>,
      expected_version: number | undefined,
      actor: Actor,
    ) =>
      change(database, key, actor, async (tx) => {
        const current = await getExpected(tx, key, expected_version);
        const edited = await edit(tx, parseExactly(current.parameters) as Parameters);
        const next = { text: writeExactly(edited), count: Object.keys(edited).length };
        const problem = findSizeProblem(next);
        if (problem !== null) throw conflict(`With this change, ${problem}`);
        requireUnchanged(await listRunningParameters(tx, key), current.parameters, next.text);
        const origin = { restored_version: null, schedule: null };
        await insertNext(tx, key, current, next, origin, actor);
        return getCurrentVersion(tx, key);
      }),

    /** @throws ApiError 404 when the version is unknown or no longer stored, 409 as `put` does. */
    rollBack: (
      database: Database,
      key: Tenant,
      version: number,
      expected_version: number | undefined,
      actor: Actor,
    ) =>
      change(database, key, actor, async (tx) => {
        const found = await findVersion(tx, key, version);
        if (found === null) throw notFound('Config version not found');
        const current = await getExpected(tx, key, expected_version);
        const parameters = { text: found.parameters, count: found.parameter_count };
        await requireRuleStats(tx, key.game_id, parameters.text);
        requireUnchanged(await listRunningParameters(tx, key), current.parameters, parameters.text);
        const origin = { restored_version: version, schedule: null };
        await insertNext(tx, key, current, parameters, origin, actor);
        return getCurrentVersion(tx, key);
      }),

    /** Lists the scheduled changes that have not begun, and those whose end is to come. */
    listSchedules: listOpenSchedules,

    /** Lists the keys of the current parameters. */
    async listKeys(tx: Queryable, key: Tenant): Promise<string[]> {
      const { parameters } = await getCurrentVersion(tx, key);
      return Object.keys(parseJsonText(parameters) as object);
    },

    /** Applies the scheduled changes that are due, and then makes another change in the same transaction. */
    change,

    /**
     * Applies the scheduled changes that are due. Concurrent calls for one environment share one transaction.
     */
    applyDue(database: Database, key: Tenant) {
      const name = nameOfTenant(key);
      let run = applying.get(name);
      if (run === undefined) {
        run = applyNow(database, key).finally(() => applying.delete(name));
        applying.set(name, run);
      }
      return run;
    },
  };
}

/**
 * Functions that change configs, one change at a time in each game.
 * Each change is written to the audit log, and clients see it at once.
 */
export type ConfigChanges = ReturnType<typeof createConfigChanges>;
