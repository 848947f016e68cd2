import { MAX_API_KEYS } from '@overworld/contract/games/api-keys';
import type { Environment } from '@overworld/contract/common';
import type { Role } from '@overworld/contract/operation';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import { getRole, requireRole } from '../../platform/auth/accounts.ts';
import type { AccountCaller } from '../../platform/auth/accounts.ts';
import { makeApiKey } from '../../platform/auth/api-keys.ts';
import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { lockGame } from '../../platform/game-lock.ts';
import * as store from './store.ts';
import type { ApiKey, StoredApiKey } from './store.ts';

/** The account that changes keys of a game, and its role there. */
interface Editor {
  role: Role;
  actor: Actor;
}

/**
 * The account that makes a key. Its role is read after the game is locked, so that a member who is
 * being removed cannot make one.
 */
interface Maker {
  caller: AccountCaller;
  actor: Actor;
}

/** Making, replacing and revoking API keys, audited. Keys for production need the role admin. */
export interface ApiKeys {
  /** Makes a key. It is not stored: only this answer holds it. */
  create(
    game_id: string,
    settings: { name: string; environment: Environment },
    maker: Maker,
  ): Promise<ApiKey & { key: string }>;
  /**
   * Makes a key that replaces another, which goes on working for `old_key_valid_hours`.
   * @throws ApiError 404 when the game has no such key, 409 when it is not valid or was replaced.
   */
  rotate(
    game_id: string,
    key_id: string,
    old_key_valid_hours: number,
    maker: Maker,
  ): Promise<ApiKey & { key: string; old_key: ApiKey }>;
  /** Revokes a key on every server. Without effect on a key that is not valid. */
  revoke(game_id: string, key_id: string, editor: Editor): Promise<void>;
  /**
   * Revokes several keys in a transaction.
   * @returns a function to call after the commit.
   * @throws ApiError 404 when the game lacks one of them, 403 when the role is too low.
   */
  revokeInTransaction(
    tx: Queryable,
    game_id: string,
    key_ids: readonly string[],
    editor: Editor,
  ): Promise<() => void>;
}

const requireEditor = (role: Role, environment: Environment) =>
  requireRole(role, environment === 'production' ? 'admin' : 'developer');

export function createApiKeys(database: Database, directory: KeyDirectory): ApiKeys {
  const insert = async (
    tx: Queryable,
    game_id: string,
    settings: { name: string; environment: Environment; first_key_id?: string },
    { account }: Actor,
  ) => {
    if ((await store.countApiKeys(tx, game_id)) >= MAX_API_KEYS) {
      throw conflict(`A game can have at most ${MAX_API_KEYS} API keys: revoke one first`);
    }
    const { key, prefix, key_hash } = makeApiKey(settings.environment);
    const inserted = { ...settings, prefix, key_hash };
    return { ...(await store.insertApiKey(tx, game_id, inserted, account)), key };
  };

  const revokeInTransaction: ApiKeys['revokeInTransaction'] = async (
    tx,
    game_id,
    key_ids,
    { role, actor },
  ) => {
    const keys = await store.listApiKeysForUpdate(tx, game_id, key_ids);
    if (keys.length < new Set(key_ids.map((id) => id.toLowerCase())).size) {
      throw notFound('API key not found');
    }
    for (const { environment } of keys) requireEditor(role, environment);
    const valid = keys.filter(({ is_valid }) => is_valid);
    const ids = valid.map(({ id }) => id);
    await store.updateRevokedAt(tx, game_id, ids);
    for (const { id: target, name, environment, prefix } of valid) {
      const details = { name, environment, prefix };
      await insertAuditEntry(tx, actor, { game_id, action: 'revoke_api_key', target, details });
    }
    const hashes = valid.map(({ key_hash }) => key_hash);
    return directory.invalidateOnCommit(tx, hashes);
  };

  return {
    create(game_id, { name, environment }, { caller, actor }) {
      return database.transaction(async (tx) => {
        await lockGame(tx, game_id);
        requireEditor(await getRole(tx, caller, game_id, 'developer'), environment);
        const made = await insert(tx, game_id, { name, environment }, actor);
        const { id: target, prefix } = made;
        const details = { name, environment, prefix };
        await insertAuditEntry(tx, actor, { game_id, action: 'create_api_key', target, details });
        return made;
      });
    },

    async rotate(game_id, key_id, old_key_valid_hours, { caller, actor }) {
      const { made, old_key, evictKey } = await database.transaction(async (tx) => {
        await lockGame(tx, game_id);
        const role = await getRole(tx, caller, game_id, 'developer');
        const [old] = await store.listApiKeysForUpdate(tx, game_id, [key_id]);
        if (old === undefined) throw notFound('API key not found');
        const { name, environment, first_key_id } = old;
        requireEditor(role, environment);
        refuseUnlessInUse(old);
        const settings = { name, environment, first_key_id: first_key_id ?? old.id };
        const inserted = await insert(tx, game_id, settings, actor);
        const replaced = await store.updateReplaced(tx, game_id, old.id, {
          replaced_by: inserted.id,
          valid_hours: old_key_valid_hours,
        });
        await insertAuditEntry(tx, actor, {
          game_id,
          action: 'rotate_api_key',
          target: old.id,
          details: {
            name,
            environment,
            prefix: old.prefix,
            expires_at: replaced.expires_at,
            replaced_by: inserted.id,
            new_prefix: inserted.prefix,
          },
        });
        return {
          made: inserted,
          old_key: replaced,
          evictKey: await directory.invalidateOnCommit(tx, [old.key_hash]),
        };
      });
      evictKey();
      return { ...made, old_key };
    },

    async revoke(game_id, key_id, editor) {
      const evictKey = await database.transaction((tx) =>
        revokeInTransaction(tx, game_id, [key_id], editor),
      );
      evictKey();
    },
    revokeInTransaction,
  };
}

function refuseUnlessInUse({ is_valid, replaced_by }: StoredApiKey): void {
  if (!is_valid) throw conflict('This API key does not work any more: make a new one');
  if (replaced_by !== null) {
    throw conflict('This API key was replaced already: rotate the key that replaced it');
  }
}
