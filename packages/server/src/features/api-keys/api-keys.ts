import { MAX_API_KEYS } from '@overworld/contract/api-keys';
import type { Environment } from '@overworld/contract/common';
import type { Role } from '@overworld/contract/operation';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import { requireRole } from '../../platform/auth/accounts.ts';
import { makeApiKey } from '../../platform/auth/api-keys.ts';
import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import type { Database } from '../../platform/database/database.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { lockGame } from '../../platform/game-lock.ts';
import { countApiKeys, findApiKeyForUpdate, insertApiKey, updateRevokedAt } from './store.ts';
import type { ApiKey } from './store.ts';

/** Who changes a game's keys, and what that account is in the game. */
interface Editor {
  role: Role;
  actor: Actor;
}

/** Making and revoking API keys, audited. Keys for production need the role admin. */
export interface ApiKeys {
  /** Makes a key, which this answer alone holds. */
  create(
    game_id: string,
    settings: { name: string; environment: Environment },
    editor: Editor,
  ): Promise<ApiKey & { key: string }>;
  /** Revokes a key on every node; without effect on one that is revoked. */
  revoke(game_id: string, key_id: string, editor: Editor): Promise<void>;
}

const requireEditor = (role: Role, environment: Environment) =>
  requireRole(role, environment === 'production' ? 'admin' : 'developer');

export function createApiKeys(database: Database, directory: KeyDirectory): ApiKeys {
  return {
    async create(game_id, { name, environment }, { role, actor }) {
      requireEditor(role, environment);
      const { key, prefix, key_hash } = makeApiKey(environment);
      const apiKey = await database.transaction(async (tx) => {
        await lockGame(tx, game_id);
        if ((await countApiKeys(tx, game_id)) >= MAX_API_KEYS) {
          throw conflict(`A game can have at most ${MAX_API_KEYS} API keys: revoke one first`);
        }
        const inserted = await insertApiKey(tx, game_id, { name, environment, prefix, key_hash });
        await insertAuditEntry(tx, actor, {
          game_id,
          action: 'create_api_key',
          target: inserted.id,
          details: { name, environment, prefix },
        });
        return inserted;
      });
      return { ...apiKey, key };
    },

    async revoke(game_id, key_id, { role, actor }) {
      const evictKey = await database.transaction(async (tx) => {
        const apiKey = await findApiKeyForUpdate(tx, game_id, key_id);
        if (apiKey === null) throw notFound('API key not found');
        const { name, environment, prefix, key_hash } = apiKey;
        requireEditor(role, environment);
        if (apiKey.revoked_at !== null) return null;
        await updateRevokedAt(tx, game_id, key_id);
        await insertAuditEntry(tx, actor, {
          game_id,
          action: 'revoke_api_key',
          target: key_id,
          details: { name, environment, prefix },
        });
        return directory.invalidateOnCommit(tx, [key_hash]);
      });
      evictKey?.();
    },
  };
}
