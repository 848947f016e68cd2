import { insertAuditEntry } from '../../platform/audit.ts';
import { MAX_API_KEYS } from '@overworld/contract/games/api-keys';
import type { ApiKeyKind } from '@overworld/contract/games/api-keys';
import type { Environment } from '@overworld/contract/common';
import type { TokenRole } from '@overworld/contract/operation';
import type { Actor } from '../../platform/audit.ts';
import { getRole, requireEnvironmentEditor } from '../../platform/auth/accounts.ts';
import type { AccountCaller } from '../../platform/auth/accounts.ts';
import { makeApiKey } from '../../platform/auth/api-keys.ts';
import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import * as store from './store.ts';
import type { ApiKey, StoredApiKey } from './store.ts';

/** The account that changes keys of a game, and the account's role in this game. */
interface Editor {
  role: TokenRole;
  actor: Actor;
}

/**
 * The account that makes a key. The role of the account is read after the game is locked, so that a member
 * who is being removed cannot make a key.
 */
interface Maker {
  caller: AccountCaller;
  actor: Actor;
}

export interface ApiKeyServices {
  database: Database;
  keys: KeyDirectory;
}

/**
 * Makes a key. The key itself is not stored: only this answer has it.
 * @throws ApiError 403 when the role is too low, 409 when the game has too many keys.
 */
export async function createApiKey(
  { database }: ApiKeyServices,
  game_id: string,
  settings: { name: string; environment: Environment; kind?: ApiKeyKind },
  { caller, actor }: Maker,
): Promise<ApiKey & { key: string }> {
  const { name, environment, kind = 'client' } = settings;
  return changeGame(database, { game_id, actor }, async (tx, record) => {
    requireEnvironmentEditor(await getRole(tx, caller, game_id, 'developer'), environment);
    const made = await insertApiKey(tx, game_id, { name, environment, kind }, actor);
    const { id: target, prefix } = made;
    const details = { name, environment, kind, prefix };
    await record('create_api_key', target, details);
    return made;
  });
}

/**
 * Makes a key that replaces another, which goes on working for `old_key_valid_hours`.
 * @throws ApiError 403 when the role is too low, 404 when the game has no such key, 409 when the old key is
 * not valid or was replaced already, or when the game has too many keys.
 */
export async function rotateApiKey(
  { database, keys: directory }: ApiKeyServices,
  { game_id, key_id }: { game_id: string; key_id: string },
  old_key_valid_hours: number,
  { caller, actor }: Maker,
): Promise<ApiKey & { key: string; old_key: ApiKey }> {
  let evictKey = () => {};
  const rotated = await changeGame(database, { game_id, actor }, async (tx, record) => {
    const role = await getRole(tx, caller, game_id, 'developer');
    const [old] = await store.listApiKeysForUpdate(tx, game_id, [key_id]);
    if (old === undefined) throw notFound('API key not found');
    const { name, environment, kind, first_key_id, prefix } = old;
    requireEnvironmentEditor(role, environment);
    refuseUnlessInUse(old);
    const settings = { name, environment, kind, first_key_id: first_key_id ?? old.id };
    const made = await insertApiKey(tx, game_id, settings, actor);
    const replacement = { replaced_by: made.id, valid_hours: old_key_valid_hours };
    const old_key = await store.updateReplaced(tx, game_id, old.id, replacement);
    const { expires_at } = old_key;
    const replaced = { expires_at, replaced_by: made.id, new_prefix: made.prefix };
    await record('rotate_api_key', old.id, { name, environment, kind, prefix, ...replaced });
    evictKey = await directory.invalidateOnCommit(tx, [old.key_hash]);
    return { ...made, old_key };
  });
  evictKey();
  return rotated;
}

/** Revokes a key on every server. This has no effect on a key that is not valid. */
export async function revokeApiKey(
  { database, keys: directory }: ApiKeyServices,
  { game_id, key_id }: { game_id: string; key_id: string },
  editor: Editor,
): Promise<void> {
  const evictKey = await database.transaction((tx) =>
    revokeApiKeys(directory, tx, game_id, [key_id], editor),
  );
  evictKey();
}

/**
 * Revokes several keys in a transaction.
 * @returns a function to call after the commit.
 * @throws ApiError 404 when the game lacks one of the keys, 403 when the role is too low.
 */
export async function revokeApiKeys(
  directory: KeyDirectory,
  tx: Queryable,
  game_id: string,
  key_ids: readonly string[],
  { role, actor }: Editor,
): Promise<() => void> {
  const keys = await store.listApiKeysForUpdate(tx, game_id, key_ids);
  if (keys.length < new Set(key_ids.map((id) => id.toLowerCase())).size) {
    throw notFound('API key not found');
  }
  for (const { environment } of keys) requireEnvironmentEditor(role, environment);
  const valid = keys.filter(({ is_valid }) => is_valid);
  const ids = valid.map(({ id }) => id);
  await store.updateRevokedAt(tx, game_id, ids);
  for (const { id: target, name, environment, kind, prefix } of valid) {
    const details = { name, environment, kind, prefix };
    await insertAuditEntry(tx, { actor, game_id }, 'revoke_api_key', target, details);
  }
  const hashes = valid.map(({ key_hash }) => key_hash);
  return directory.invalidateOnCommit(tx, hashes);
}

async function insertApiKey(
  tx: Queryable,
  game_id: string,
  settings: { name: string; environment: Environment; kind: ApiKeyKind; first_key_id?: string },
  { account }: Actor,
): Promise<ApiKey & { key: string }> {
  if ((await store.countApiKeys(tx, game_id)) >= MAX_API_KEYS) {
    throw conflict(`A game can have at most ${MAX_API_KEYS} API keys: revoke one first`);
  }
  const { key, ...stored } = makeApiKey(settings.environment, settings.kind);
  return { ...(await store.insertApiKey(tx, game_id, { ...settings, ...stored }, account)), key };
}

function refuseUnlessInUse({ is_valid, replaced_by }: StoredApiKey): void {
  if (!is_valid) throw conflict('This API key does not work any more: make a new one');
  if (replaced_by !== null) {
    throw conflict('This API key was replaced already: rotate the key that replaced it');
  }
}
