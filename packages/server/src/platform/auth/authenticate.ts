import type { Access, Operation } from '@overworld/contract/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import { networkOf } from '../network/network-address.ts';
import type { LimitRate } from '../rate-limit/rate-limit.ts';
import { getAccountCaller } from './accounts.ts';
import type { AccountCaller } from './accounts.ts';
import type { KeyCaller, KeyDirectory } from './api-keys.ts';
import { secondFactorSetupRequired } from './second-factor-policy.ts';
import type { SessionUses } from './session-uses.ts';
import type { Tokens } from './tokens.ts';

export type Caller = KeyCaller | AccountCaller;

/**
 * Authenticates a request as its operation asks, then counts it: per API key, per account, or per
 * network address where there is no caller, also when authentication fails. A request of an operation
 * that is not `rate_limited` is counted only when authentication fails.
 * @throws ApiError 401, 403 (the account is locked, pending, or lacks a required second factor) or 429.
 */
export type Authenticator = (
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Pick<Operation, 'access' | 'rate_limited'>,
) => Promise<Caller | null>;

export function createAuthenticator(services: {
  database: Database;
  keys: KeyDirectory;
  tokens: Tokens;
  sessionUses: SessionUses;
  limitRate: LimitRate;
}): Authenticator {
  const { database, keys, tokens, sessionUses, limitRate } = services;

  const authenticateKey = async (key: string): Promise<KeyCaller> => {
    const caller = await keys.find(key);
    if (caller === null) throw new ApiError(401, 'Invalid API key');
    return caller;
  };

  const authenticateAccount = async ({ headers, ip }: FastifyRequest): Promise<AccountCaller> => {
    const header = headers.authorization;
    if (header === undefined) throw new ApiError(401, 'Missing Authorization header');
    const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
    if (token === undefined) throw new ApiError(401, 'Invalid token');
    const { caller, is_use_due } = await getAccountCaller(database, await tokens.verify(token));
    if (is_use_due) sessionUses.note(caller.session_id, ip);
    return caller;
  };

  const findCaller = async (request: FastifyRequest, access: Access): Promise<Caller | null> => {
    if (access === 'anyone') return null;
    const { headers } = request;
    const key = headers['x-game-api-key'];
    if (access === 'key' || access === 'key_or_account') {
      if (typeof key === 'string' && key !== '') return authenticateKey(key);
      if (access === 'key' || headers.authorization === undefined) {
        throw new ApiError(401, 'Missing x-game-api-key header');
      }
    }
    return authenticateAccount(request);
  };

  return async (request, reply, { access, rate_limited }) => {
    let caller: Caller | null;
    try {
      caller = await findCaller(request, access);
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) {
        await limitRate(request, reply, `ip:${networkOf(request.ip)}`);
      }
      throw error;
    }
    if (rate_limited !== false) {
      await limitRate(request, reply, rateLimitName(caller, request.ip));
    }
    if (caller?.kind === 'account' && caller.must_set_up_second_factor) {
      if (!isAboutOwnAccount(request)) throw secondFactorSetupRequired();
    }
    // No cache may keep anything about an account or a player.
    if (caller !== null) reply.header('Cache-Control', 'no-store');
    return caller;
  };
}

/** Whether an account that still has to set up its second factor may make this request. */
const isAboutOwnAccount = ({ routeOptions }: FastifyRequest) =>
  routeOptions.url?.startsWith('/v1/auth/') === true;

function rateLimitName(caller: Caller | null, ip: string): string {
  if (caller === null) return `ip:${networkOf(ip)}`;
  return caller.kind === 'key' ? `key:${caller.key_id}` : `account:${caller.account_id}`;
}
