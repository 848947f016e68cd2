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

/** Who changes a game's keys, and what that account is in the game. */
interface Editor {
  role: Role;
  actor: Actor;
}

/**
 * Who makes a key: the role is read once the game is locked, so that who is being removed takes none
 * along.
 */
interface Maker {
  caller: AccountCaller;
  actor: Actor;
}

/** Making, replacing and revoking API keys, audited. Keys for production need the role admin. */
export interface ApiKeys {
  /** Makes a key, which this answer alone holds. */
  create(
    game_id: string,
    settings: { name: string; environment: Environment },
    maker: Maker,
  ): Promise<ApiKey & { key: string }>;
  /**
   * Makes a key in place of another, which works on for `old_key_valid_hours`.
   * @throws ApiError 404 when the game has no such key, 409 when it does not work or was replaced.
   */
  rotate(
    game_id: string,
    key_id: string,
    old_key_valid_hours: number,
    maker: Maker,
  ): Promise<ApiKey & { key: string; old_key: ApiKey }>;
  /** Revokes a key on every node; without effect on one that does not work. */
  revoke(game_id: string, key_id: string, editor: Editor): Promise<void>;
  /**
   * The same for several, as a part of a transaction.
   * @returns a function to call after the commit.
   * @throws ApiError 404 when the game has not all of them, 403.
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
    await store.updateRevokedAt(
      tx,
      game_id,
      valid.map(({ id }) => id),
    );
    for (const { id, name, environment, prefix } of valid) {
      await insertAuditEntry(tx, actor, {
        game_id,
        action: 'revoke_api_key',
        target: id,
        details: { name, environment, prefix },
      });
    }
    return directory.invalidateOnCommit(
      tx,
      valid.map(({ key_hash }) => key_hash),
    );
  };

  return {
    create(game_id, { name, environment }, { caller, actor }) {
      return database.transaction(async (tx) => {
        await lockGame(tx, game_id);
        requireEditor(await getRole(tx, caller, game_id, 'developer'), environment);
        const made = await insert(tx, game_id, { name, environment }, actor);
        await insertAuditEntry(tx, actor, {
          game_id,
          action: 'create_api_key',
          target: made.id,
          details: { name, environment, prefix: made.prefix },
        });
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
