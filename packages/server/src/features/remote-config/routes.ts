import { getConfig } from '@overworld/contract/remote-config/config';
import {
  getConfigVersion,
  getGameConfig,
  listConfigVersions,
  previewConfig,
  putGameConfig,
  rollBackConfig,
} from '@overworld/contract/remote-config/dashboard';
import type { Database } from '../../platform/database/database.ts';
import { createDefinitionCache } from '../../platform/definition-cache.ts';
import { notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { matchesEtag } from '../../platform/http/etag.ts';
import { implement, JsonText, Reply } from '../../platform/http/implement.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import type { Notifications } from '../../platform/database/notifications.ts';
import { createConfigChanges } from './changes.ts';
import type { ConfigChanges } from './changes.ts';
import { createConfig } from './config.ts';
import { answerPlayer } from './experiments.ts';
import type { ConfigExperiments } from './experiments.ts';
import { readConfigBody } from './parameters.ts';
import { getPreviewTraits } from './preview.ts';
import {
  findVersion,
  getCurrentVersion,
  listVersions,
  readCacheKey,
  writeCacheKey,
} from './store.ts';
import type { StoredVersion } from './store.ts';

interface RemoteConfigServices {
  /** The pool for requests of clients. */
  hot: Database;
  /** The pool for requests of the dashboard. */
  database: Database;
  notifications: Notifications;
  experiments: ConfigExperiments;
}

/** On this channel servers tell each other which config has changed. */
const CHANNEL = 'overworld_remote_config';

/** @returns the changes of configs, for features that make some. */
export function mountRemoteConfig(api: Api, services: RemoteConfigServices): ConfigChanges {
  const { hot, database, notifications, experiments } = services;
  const configs = createDefinitionCache({
    channel: CHANNEL,
    notifications,
    max_entries: 10_000,
    async load(name) {
      const { version, parameters } = await getCurrentVersion(hot, readCacheKey(name));
      return createConfig(version, parameters);
    },
  });
  const changes = createConfigChanges(database, configs);

  implement(api, getConfig, async (call) => {
    const { caller, query, headers } = call;
    const player = await api.guard.ownPlayerIfNamed(call, query.player_id);
    const name = writeCacheKey(caller);
    const config = configs.peek(name) ?? (await configs.get(name));
    const running = experiments.peek(name) ?? (await experiments.get(name));
    const { text, etag } = await answerPlayer(hot, config, running, player);
    const body = matchesEtag(headers['if-none-match'], etag) ? undefined : new JsonText(text);
    // Only this caller may cache the answer, and must validate it each time.
    const fields = { ETag: etag, 'Cache-Control': 'private, no-cache' };
    return new Reply<undefined>(body ? 200 : 304, body, fields);
  });

  implement(api, getGameConfig, async ({ params, query }) =>
    showVersion(await getCurrentVersion(database, { ...params, ...query })),
  );

  implement(
    api,
    putGameConfig,
    async ({ params, query, body, actor }) => {
      const { parameters, expected_version } = body;
      const key = { ...params, ...query };
      return showVersion(await changes.put(key, parameters, expected_version, actor));
    },
    readConfigBody,
  );

  implement(api, listConfigVersions, ({ params, query }) => {
    const { environment, ...page } = query;
    return listVersions(database, { ...params, environment }, page);
  });

  implement(api, getConfigVersion, async ({ params, query }) => {
    const { version, game_id } = params;
    const found = await findVersion(database, { game_id, ...query }, version);
    if (found === null) throw notFound('Config version not found');
    return showVersion(found);
  });

  implement(api, rollBackConfig, async ({ params, query, actor }) => {
    const { version, game_id } = params;
    return showVersion(await changes.rollBack({ game_id, ...query }, version, actor));
  });

  implement(api, previewConfig, async ({ params, query, body }) => {
    const key = { ...params, ...query };
    const { version, parameters } = await getCurrentVersion(database, key);
    const config = createConfig(version, parameters);
    const decisions = config.decide(await getPreviewTraits(database, key, body, config.needs));
    const values = new JsonText(config.writeValues(decisions));
    return new JsonText(writeJson({ version, config: values, decisions }));
  });

  return changes;
}

function showVersion({ parameters, parameter_count: _count, ...version }: StoredVersion): JsonText {
  return new JsonText(writeJson({ ...version, parameters: new JsonText(parameters) }));
}
