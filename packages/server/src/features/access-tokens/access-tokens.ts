import type { createAccessToken as createOperation } from '@overworld/contract/access-tokens/access-tokens';
import {
  DEFAULT_ACCESS_TOKEN_DAYS,
  MAX_ACCESS_TOKENS,
} from '@overworld/contract/access-tokens/limits';
import type { BodyOf, SuccessOf, TokenRole } from '@overworld/contract/operation';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import { makeAccessToken } from '../../platform/auth/access-token-text.ts';
import { lockAccountRow } from '../../platform/auth/account-lock.ts';
import { hasRole, requireSession } from '../../platform/auth/accounts.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { ApiError, conflict, notFound } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import { postTokenMail } from './mails.ts';
import * as store from './store.ts';

/** The account that changes its own tokens. */
interface Maker {
  account_id: string;
  actor: Actor;
}

const tokenNotFound = () => notFound('Access token not found');

/**
 * Makes an access token. The token itself is not stored: only this answer has it.
 * @throws ApiError 401 or 403 when the session ends or the account is locked meanwhile, 404 when the account is
 * no member of one of the games, 403 when its role there is lower than that of the token, 409 when it has too
 * many tokens.
 */
export async function createAccessToken(
  database: Database,
  { account_id, session_id, actor }: Maker & { session_id: string },
  body: Omit<BodyOf<typeof createOperation>, 'password' | 'confirmation'>,
): Promise<SuccessOf<typeof createOperation>> {
  const { name, role, expires_in_days = DEFAULT_ACCESS_TOKEN_DAYS } = body;
  const game_ids = [...new Set(body.game_ids.map((id) => id.toLowerCase()))];
  const { token, prefix, token_hash } = makeAccessToken();
  return database.transaction(async (tx) => {
    await lockAccountRow(tx, account_id);
    // A lock or a reset of the password may have revoked all tokens since the password was checked.
    await requireSession(tx, { account_id, session_id });
    if ((await store.countValidTokens(tx, account_id)) >= MAX_ACCESS_TOKENS) {
      throw conflict(
        `An account can have at most ${MAX_ACCESS_TOKENS} access tokens: revoke one first`,
      );
    }
    await requireRoles(tx, account_id, game_ids, role);
    const settings = { name, role, prefix, token_hash, expires_in_days, game_ids };
    const id = await store.insertAccessToken(tx, account_id, settings);
    const made = (await store.findAccessToken(tx, account_id, id))!;
    const { expires_at } = made;
    for (const game_id of game_ids) {
      const details = { name, role, prefix, expires_at };
      await insertAuditEntry(tx, { actor, game_id }, 'create_access_token', id, details);
    }
    await postTokenMail(tx, { account_id, token_name: name });
    return { ...made, token };
  });
}

/** Revokes an access token of the account. @throws ApiError 404 when the account has no such token. */
export async function revokeAccessToken(
  database: Database,
  { account_id, actor }: Maker,
  token_id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockAccountRow(tx, account_id);
    const token = await store.findAccessToken(tx, account_id, token_id);
    if (token === null) throw tokenNotFound();
    await store.deleteAccessToken(tx, token_id);
    for (const { game_id } of token.games) {
      const details = { name: token.name };
      await insertAuditEntry(tx, { actor, game_id }, 'revoke_access_token', token.id, details);
    }
  });
}

/**
 * Takes a game from an access token.
 * @param account_id Null if the tokens of all members may be revoked.
 * @throws ApiError 404 when no such token reaches the game.
 */
export async function revokeForGame(
  database: Database,
  { actor, ...tokens }: { game_id: string; account_id: string | null; actor: Actor },
  token_id: string,
): Promise<void> {
  await changeGame(database, { game_id: tokens.game_id, actor }, async (tx, record) => {
    const token = await store.deleteGameOfToken(tx, tokens, token_id);
    if (token === null) throw tokenNotFound();
    await record('revoke_access_token', token_id, { name: token.name, made_by: token.email });
  });
}

async function requireRoles(
  tx: Queryable,
  account_id: string,
  game_ids: readonly string[],
  role: TokenRole,
): Promise<void> {
  const memberships = await store.lockMemberships(tx, account_id, game_ids);
  if (memberships.length < game_ids.length) throw notFound('Game not found');
  const lower = memberships.find((membership) => !hasRole(membership.role, role));
  if (lower === undefined) return;
  throw new ApiError(
    403,
    `In ${lower.name} your role is ${lower.role}: a token can have this role or a lower one`,
  );
}
