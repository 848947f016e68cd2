import { VERSION_CONFLICT } from '@overworld/contract/answers';
import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import { changeDefinitions } from '../../platform/definition-change.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { parseExactly, writeExactly } from '../../platform/json/exact-json.ts';
import { parseJsonText } from '../../platform/json/parse-json.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import type { Config } from './config.ts';
import type { ParametersText } from './parameters.ts';
import { findVersion, getCurrentVersion, insertVersion, writeCacheKey } from './store.ts';
import type { StoredVersion } from './store.ts';

/** Changes configs: one change at a time in a game, audited, and seen by clients at once. */
export interface ConfigChanges {
  /** @throws ApiError 409 when `expected_version` is given and not the current one. */
  put(
    key: Tenant,
    parameters: ParametersText,
    expected_version: number | undefined,
    actor: Actor,
  ): Promise<StoredVersion>;
  /** @throws ApiError 404 when the version is unknown or no longer kept. */
  rollBack(key: Tenant, version: number, actor: Actor): Promise<StoredVersion>;
  /**
   * Changes the current parameters together with other rows, in one transaction that holds the lock of
   * the game.
   * @param edit Gets the parameters by `parseExactly`, and gives them back changed.
   * @throws ApiError 409 as `put` does.
   */
  edit(
    key: Tenant,
    edit: (tx: Queryable, parameters: Parameters) => Promise<Parameters>,
    expected_version: number | undefined,
    actor: Actor,
  ): Promise<StoredVersion>;
  /** Keys of the current parameters. */
  listKeys(tx: Queryable, key: Tenant): Promise<string[]>;
}

type Parameters = Record<string, ConfigParameter>;

export function createConfigChanges(
  database: Database,
  configs: DefinitionCache<Config>,
): ConfigChanges {
  const change = (
    key: Tenant,
    work: (tx: Queryable, current: StoredVersion) => Promise<void>,
  ): Promise<StoredVersion> => {
    const kept = { game_id: key.game_id, key: writeCacheKey(key) };
    return changeDefinitions(database, configs, kept, async (tx) => {
      await work(tx, await getCurrentVersion(tx, key));
      return getCurrentVersion(tx, key);
    });
  };

  return {
    put: (key, parameters, expected_version, actor) =>
      change(key, async (tx, current) => {
        requireVersion(current, expected_version);
        await insertNext(tx, key, current, parameters, null, actor);
      }),

    edit: (key, edit, expected_version, actor) =>
      change(key, async (tx, current) => {
        requireVersion(current, expected_version);
        const edited = await edit(tx, parseExactly(current.parameters) as Parameters);
        const parameters = { text: writeExactly(edited), count: Object.keys(edited).length };
        await insertNext(tx, key, current, parameters, null, actor);
      }),

    rollBack: (key, version, actor) =>
      change(key, async (tx, current) => {
        const found = await findVersion(tx, key, version);
        if (found === null) throw notFound('Config version not found');
        const parameters = { text: found.parameters, count: found.parameter_count };
        await insertNext(tx, key, current, parameters, version, actor);
      }),

    async listKeys(tx, key) {
      const { parameters } = await getCurrentVersion(tx, key);
      return Object.keys(parseJsonText(parameters) as object);
    },
  };
}

function requireVersion(current: StoredVersion, expected_version: number | undefined): void {
  if (expected_version !== undefined && expected_version !== current.version) {
    throw conflict(VERSION_CONFLICT, { server_version: current.version });
  }
}

/** Stores parameters as the next version, unless they are those of the current one. */
async function insertNext(
  tx: Queryable,
  key: Tenant,
  current: StoredVersion,
  parameters: ParametersText,
  restored_version: number | null,
  actor: Actor,
): Promise<void> {
  if (parameters.text === current.parameters) return;
  const version = current.version + 1;
  const created_by = actor.account?.email ?? null;
  await insertVersion(tx, key, { version, created_by, restored_version }, parameters);
  await insertAuditEntry(tx, actor, {
    game_id: key.game_id,
    action: restored_version === null ? 'put_config' : 'roll_back_config',
    target: key.environment,
    details: { version, restored_version, ...compare(current.parameters, parameters.text) },
  });
}

/** Keys of the parameters that were added, changed and removed. */
function compare(before: string, after: string) {
  const old = readMembers(before);
  const current = readMembers(after);
  const keys = [...current.keys()];
  return {
    added: keys.filter((key) => !old.has(key)),
    changed: keys.filter((key) => old.has(key) && old.get(key) !== current.get(key)),
    removed: [...old.keys()].filter((key) => !current.has(key)),
  };
}

const readMembers = (text: string) =>
  new Map(
    Object.entries(parseJsonText(text) as object).map(([key, value]) => [
      key,
      JSON.stringify(value),
    ]),
  );
