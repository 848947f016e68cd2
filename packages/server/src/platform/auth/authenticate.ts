import type { IncomingHttpHeaders } from 'node:http';
import { ACCESS_TOKEN_PREFIX } from '@overworld/contract/access-tokens/limits';
import { tokenRoleOf } from '@overworld/contract/operation';
import type { Access, Operation } from '@overworld/contract/operation';
import type { Database } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { networkOf } from '../network/network-address.ts';
import type { PlayerTokens } from '../players/player-tokens.ts';
import type { RateLimiter } from '../rate-limit/rate-limit.ts';
import type { ShareCounts } from '../rate-limit/shares.ts';
import type { SdkCounts } from '../call-counts.ts';
import type { AccessTokens } from './access-tokens.ts';
import { getAccountCaller, hasRole } from './accounts.ts';
import type { AccountCaller, UsedAccessToken } from './accounts.ts';
import type { KeyCaller, KeyDirectory } from './api-keys.ts';
import type { Caller } from './caller.ts';
import { secondFactorSetupRequired } from './second-factor-policy.ts';
import type { SessionUses } from './session-uses.ts';
import type { Tokens } from './tokens.ts';

/** The parts of an operation that say which callers it admits. */
type Admitting = Pick<Operation, 'access' | 'token_role' | 'rate_limited'>;

/**
 * A function that authenticates a request by the `access` of its operation, and then counts it against the
 * rate limit of its API key, access token or account. A request is counted for its network address if its
 * operation needs no credentials, or if authentication fails. If the operation is not `rate_limited`, a
 * request is counted only if authentication fails. A player token is verified after the request is counted,
 * so the limit of the key also limits guesses at tokens. If the game has shares (limits for parts of its
 * traffic), the request is also counted for its network before all else, and for the player of its token at
 * the end. The function returns a promise only if it must wait: for a known key of a game without shares, it
 * need not wait.
 * @throws ApiError 401, 403 (the account is locked, pending, or lacks a required second factor; the operation
 * takes no access token of this role, or only server keys; or a page sent a server key) or 429.
 */
export type Authenticator = (exchange: Exchange, operation: Admitting) => void | Promise<void>;

export function createAuthenticator(services: {
  database: Database;
  keys: KeyDirectory;
  tokens: Tokens;
  accessTokens: AccessTokens;
  playerTokens: PlayerTokens;
  sessionUses: SessionUses;
  limiter: Pick<RateLimiter, 'count'>;
  shares: Pick<ShareCounts, 'countNetwork' | 'countPlayer'>;
  sdkCounts: Pick<SdkCounts, 'note'>;
}): Authenticator {
  const { database, keys, tokens, accessTokens, playerTokens, sessionUses } = services;
  const { limiter, shares, sdkCounts } = services;

  const authenticateAccount = async (exchange: Exchange): Promise<AccountCaller> => {
    const header = exchange.request.headers.authorization;
    if (header === undefined) throw new ApiError(401, 'Missing Authorization header');
    const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
    if (token === undefined) throw new ApiError(401, 'Invalid token');
    if (token.startsWith(ACCESS_TOKEN_PREFIX)) return accessTokens.getCaller(token);
    const { caller, is_use_due } = await getAccountCaller(database, await tokens.verify(token));
    if (is_use_due) sessionUses.note(caller.session_id, exchange.ip);
    return caller;
  };

  const findCaller = (exchange: Exchange, access: Access): Caller | Promise<Caller> | null => {
    if (access === 'anyone') return null;
    if (access === 'key' || access === 'server_key' || access === 'key_or_account') {
      const { headers } = exchange.request;
      const key = headers['x-game-api-key'];
      if (typeof key === 'string' && key !== '') {
        return keys.peek(key) ?? authenticateKey(keys, key);
      }
      if (access !== 'key_or_account' || headers.authorization === undefined) {
        throw new ApiError(401, 'Missing x-game-api-key header');
      }
    }
    return authenticateAccount(exchange);
  };

  const refuse = async (exchange: Exchange, error: unknown): Promise<never> => {
    if (error instanceof ApiError && error.status < 500) {
      await limiter.count(exchange, `ip:${networkOf(exchange.ip)}`);
    }
    throw error;
  };

  const admit = (exchange: Exchange, caller: Caller | null, operation: Admitting): void => {
    if (caller === null) return;
    if (caller.kind === 'account') admitAccount(exchange, caller, operation);
    // No cache may keep anything about an account or a player.
    exchange.addHeader('cache-control', 'no-store');
    exchange.caller = caller;
    if (caller.kind === 'key') admitKey(exchange, caller, operation);
  };

  const admitAccount = (
    exchange: Exchange,
    { access_token, must_set_up_second_factor }: AccountCaller,
    operation: Admitting,
  ): void => {
    if (access_token !== null) requireTokenRole(access_token, operation);
    if (!must_set_up_second_factor || isAboutOwnAccount(exchange)) return;
    throw secondFactorSetupRequired();
  };

  const admitKey = (exchange: Exchange, caller: KeyCaller, { access }: Admitting): void => {
    const { headers } = exchange.request;
    if (caller.key_kind === 'server' && isFromBrowser(headers)) throw serverKeyInBrowser();
    if (caller.key_kind !== 'server' && access === 'server_key') throw noServerKey();
    sdkCounts.note(caller, headers);
    const player_token = headers['x-player-token'];
    if (typeof player_token === 'string' && player_token !== '') {
      exchange.player_id = playerTokens.verify(player_token, caller);
    }
  };

  const admitToShares = async (
    exchange: Exchange,
    caller: KeyCaller,
    operation: Admitting,
  ): Promise<void> => {
    await shares.countNetwork(exchange, caller);
    await limiter.count(exchange, rateLimitName(caller, exchange.ip), caller.raised_requests);
    admit(exchange, caller, operation);
    const { player_id } = exchange;
    if (player_id !== null) await shares.countPlayer({ caller, player_id, exchange }, player_id);
  };

  return (exchange, operation) => {
    const countAndAdmit = (caller: Caller | null): void | Promise<void> => {
      if (operation.rate_limited === false) return admit(exchange, caller, operation);
      if (caller?.kind === 'key' && caller.shares !== null) {
        return admitToShares(exchange, caller, operation);
      }
      const raised = caller?.kind === 'key' ? caller.raised_requests : null;
      const counting = limiter.count(exchange, rateLimitName(caller, exchange.ip), raised);
      return counting
        ? counting.then(() => admit(exchange, caller, operation))
        : admit(exchange, caller, operation);
    };
    let found: ReturnType<typeof findCaller>;
    try {
      found = findCaller(exchange, operation.access);
    } catch (error) {
      return refuse(exchange, error);
    }
    if (!(found instanceof Promise)) return countAndAdmit(found);
    return found.then(countAndAdmit, (error: unknown) => refuse(exchange, error));
  };
}

async function authenticateKey(keys: KeyDirectory, key: string): Promise<KeyCaller> {
  const caller = await keys.find(key);
  if (caller === null) throw new ApiError(401, 'Invalid API key');
  return caller;
}

/** @throws ApiError 403 when no access token, or none of this role, may make the call. */
function requireTokenRole({ role }: UsedAccessToken, operation: Admitting): void {
  const required = tokenRoleOf(operation);
  if (required === null) {
    throw new ApiError(403, 'An access token cannot make this call: log in to make it');
  }
  if (hasRole(role, required)) return;
  throw new ApiError(403, `This needs the role ${required}; that of this access token is ${role}`);
}

/** Browsers send one of these headers with each request of a page, and no page can remove them. */
const isFromBrowser = (headers: IncomingHttpHeaders) =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

const serverKeyInBrowser = () =>
  new ApiError(
    403,
    'A server key must never be in a page, because everybody can read it there: revoke this key, and use a client key in the game',
  );

const noServerKey = () => new ApiError(403, 'Only a server key may make this call');

/** Tells whether an account that still has to set up its second factor may make this request. */
const isAboutOwnAccount = ({ route }: Exchange) => route.path.startsWith('/v1/auth/');

function rateLimitName(caller: Caller | null, ip: string): string {
  if (caller === null) return `ip:${networkOf(ip)}`;
  if (caller.kind === 'key') return `key:${caller.key_id}`;
  const { account_id, access_token } = caller;
  return access_token === null ? `account:${account_id}` : `token:${access_token.id}`;
}
