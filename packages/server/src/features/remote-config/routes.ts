import { getConfig } from '@overworld/contract/remote-config/config';
import {
  getConfigVersion,
  getGameConfig,
  listConfigVersions,
  previewConfig,
  putGameConfig,
  rollBackConfig,
} from '@overworld/contract/remote-config/dashboard';
import { previewConfigRules } from '@overworld/contract/remote-config/rule-preview';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { createGameDefinitionCache } from '../../platform/definition-cache.ts';
import { notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { matchesEtag } from '../../platform/http/etag.ts';
import { implement, JsonText, Reply } from '../../platform/http/implement.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { nameOfTenant, readTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { CONFIG_CHANNEL, createConfigChanges } from './changes.ts';
import type { ConfigChanges } from './changes.ts';
import { createConfig } from './config.ts';
import type { Config } from './config.ts';
import { configKind } from './definition-kind.ts';
import { answerPlayer, previewPlayer } from './experiments.ts';
import type { ConfigExperiments } from './experiments.ts';
import type { ListRunningParameters } from './experiment-parameters.ts';
import { readConfigBody } from './parameters.ts';
import { readPreviewBody, readRulesBody } from './preview-bodies.ts';
import { getPreviewTraits } from './preview.ts';
import { previewRules } from './rule-preview.ts';
import { listRuleUses } from './rule-stats.ts';
import { mountConfigSchedules } from './schedules/routes.ts';
import { findNextChange, listDueTenants } from './schedules/store.ts';
import { findVersion, getCurrentVersion, getTraits, readVersions } from './store.ts';
import type { StoredVersion } from './store.ts';

interface RemoteConfigServices {
  clock: Clock;
  experiments: ConfigExperiments;
  listRunningParameters: ListRunningParameters;
}

interface KeptConfig {
  config: Config;
  /** The time of the next scheduled change; null when none is to come. */
  next_change_at: number | null;
}

/** @returns the functions by which other features change configs. */
export function mountRemoteConfig(api: Api, services: RemoteConfigServices): ConfigChanges {
  const { hot, notifications, background } = api;
  const { clock, experiments, listRunningParameters } = services;
  const configs = createGameDefinitionCache<KeptConfig>(hot, {
    channel: CONFIG_CHANNEL,
    notifications,
    max_entries: 10_000,
    async load(database, name) {
      const key = readTenant(name);
      // The time of the next change must be read before the version. If that change is made between the
      // two reads, the cached time is in the past, so the next use reads the config again. In the
      // other order, an old version could be cached until the time of a later change.
      const next_change_at = await findNextChange(database, key);
      const { version, parameters } = await getCurrentVersion(database, key);
      return { config: createConfig(version, parameters), next_change_at };
    },
  });
  const changes = createConfigChanges(configs, clock, listRunningParameters);
  api.uses.add(listRuleUses);
  api.definitions.add(configKind(configs, clock, listRunningParameters));
  mountConfigSchedules(api, changes, listRunningParameters);

  /** Gets the current config, after making the scheduled changes that are due. */
  const getNow = async (database: Database, name: string): Promise<Config> => {
    const kept = configs.peek(name) ?? (await configs.get(name));
    if (kept.next_change_at === null || kept.next_change_at > clock().getTime()) return kept.config;
    await changes.applyDue(database, readTenant(name));
    return (await configs.get(name)).config;
  };

  /** Gets the current version for the dashboard, after making the scheduled changes that are due. */
  const getVersionNow = async (database: Database, key: Tenant): Promise<StoredVersion> => {
    const next_change_at = await findNextChange(database, key);
    if (next_change_at !== null && next_change_at <= clock().getTime()) {
      await changes.applyDue(database, key);
    }
    return getCurrentVersion(database, key);
  };

  const getRunning = async (name: string) =>
    experiments.peek(name) ?? (await experiments.get(name));

  background.every(1_000, 'making scheduled changes of configs', async () => {
    for (const key of await listDueTenants(api.database, clock())) {
      await changes.applyDue(api.database.ofGame(key.game_id), key);
    }
  });

  implement(api, getConfig, async (call) => {
    const { caller, query, headers } = call;
    const player = await api.guard.ownPlayerIfNamed(call, query.player_id);
    const name = nameOfTenant(caller);
    const config = await getNow(call.database, name);
    const running = experiments.peek(name) ?? (await experiments.get(name));
    const { text, etag } = await answerPlayer(config, running, player, async (needs) =>
      player === null ? null : getTraits(call.hot, player, needs),
    );
    const body = matchesEtag(headers['if-none-match'], etag) ? undefined : new JsonText(text);
    // Only this caller may cache the answer, and must validate it each time.
    const fields = { ETag: etag, 'Cache-Control': 'private, no-cache' };
    return new Reply<undefined>(body ? 200 : 304, body, fields);
  });

  implement(api, getGameConfig, async ({ params, query, database }) =>
    showVersion(await getVersionNow(database, { ...params, ...query })),
  );

  implement(
    api,
    putGameConfig,
    async ({ params, query, body, actor, database }) => {
      const { parameters, expected_version } = body;
      const key = { ...params, ...query };
      return showVersion(await changes.put(database, key, parameters, expected_version, actor));
    },
    readConfigBody,
  );

  implement(api, listConfigVersions, ({ params, query, database }) => {
    const { environment, ...page } = query;
    return readVersions(database, { ...params, environment }, page);
  });

  implement(api, getConfigVersion, async ({ params, query, database }) => {
    const { version, game_id } = params;
    const found = await findVersion(database, { game_id, ...query }, version);
    if (found === null) throw notFound('Config version not found');
    return showVersion(found);
  });

  implement(api, rollBackConfig, async ({ params, query, actor, database }) => {
    const { version, game_id } = params;
    const { environment, expected_version } = query;
    const key = { game_id, environment };
    return showVersion(await changes.rollBack(database, key, version, expected_version, actor));
  });

  implement(
    api,
    previewConfigRules,
    async ({ params, query, body, read }) => {
      const key = { ...params, ...query };
      const running = await getRunning(nameOfTenant(key));
      return read((database) => previewRules(database, key, body, running));
    },
    readRulesBody,
  );

  implement(
    api,
    previewConfig,
    async ({ params, query, body, database }) => {
      const key = { ...params, ...query };
      const { version, parameters } = await getVersionNow(database, key);
      const config = createConfig(version, parameters);
      const running = await getRunning(nameOfTenant(key));
      const player = body.player_id === undefined ? null : { ...key, player_id: body.player_id };
      const { values, ...reasons } = await previewPlayer(config, running, player, (needs) =>
        getPreviewTraits(database, key, body, needs),
      );
      return new JsonText(writeJson({ version, config: new JsonText(values), ...reasons }));
    },
    readPreviewBody,
  );

  return changes;
}

function showVersion({ parameters, parameter_count: _count, ...version }: StoredVersion): JsonText {
  return new JsonText(writeJson({ ...version, parameters: new JsonText(parameters) }));
}
