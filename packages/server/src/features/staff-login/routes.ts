import * as contract from '@overworld/contract/accounts/identity';
import {
  MAX_FAILED_LOGINS_PER_MINUTE,
  MAX_IDENTITY_LOGINS_PER_MINUTE,
} from '@overworld/contract/accounts/limits';
import type { PersonCaller } from '../../platform/auth/accounts.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { ApiError, badRequest, notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import type { Client } from '../../platform/http/client.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import { implement, Reply } from '../../platform/http/implement.ts';
import { createAttemptLimit } from '../../platform/limits/attempt-limit.ts';
import { confirmLink } from './account-link.ts';
import { endedCookie, makeBrowserSecret, readBrowserSecret } from './browser-secret.ts';
import type { Identity } from './claims.ts';
import { openIdentityLogin, takeWaitingIdentity } from './complete-login.ts';
import type { LoginOpener } from './complete-login.ts';
import { makeConfirmation, requireConfirmation } from './confirmations.ts';
import { findOrMakeAccount } from './identity-login.ts';
import type { StaffAccounts } from './identity-login.ts';
import type { IdentityAccount } from './identity-store.ts';
import { createProvider } from './provider.ts';

/** The parts of the accounts feature that open a login and confirm a change. */
export interface LoginAccounts extends StaffAccounts, LoginOpener {
  /** @throws ApiError 400 when the password is wrong, 403 after too many failures. */
  confirmPassword(caller: PersonCaller, password: string, client: Client): Promise<void>;
}

/** @returns the check that the owner of an account confirms a change, and the end of a login with a second step. */
export function mountStaffLogin(api: Api, accounts: LoginAccounts) {
  const { database, public_url, config, logger } = api;
  const { staff_login: settings } = config;
  const provider = settings && createProvider(settings, public_url);
  const begun = createAttemptLimit(database, 'identity_begin', MAX_IDENTITY_LOGINS_PER_MINUTE);
  const failures = createAttemptLimit(database, 'identity_login', MAX_FAILED_LOGINS_PER_MINUTE);

  const setUp = () => {
    if (settings === null || provider === null) {
      throw notFound('This installation has no identity provider');
    }
    const warn = (sentence: string) => logger.warn(sentence);
    return { provider, services: { database, settings, accounts, warn } };
  };

  const prove = async (
    { code, state, iss }: GivenAnswer,
    { ip, cookies }: Client,
  ): Promise<Identity> => {
    const { provider: asked } = setUp();
    await failures.check(ip);
    try {
      const secret = readBrowserSecret(public_url, cookies, state);
      if (secret === null) throw new NotThisBrowser();
      return await asked.prove(ip, { code, iss }, secret);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) await failures.count(ip);
      throw error;
    }
  };

  /**
   * Removes the cookie of a login that fails in `work`. It stays if the provider is away, because the browser may
   * then try again, and if it belongs to another login, which must be able to end.
   */
  const endLogin = async <T>(exchange: Exchange, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const isOver = error instanceof ApiError && ![429, 503].includes(error.status);
      if (isOver && !(error instanceof NotThisBrowser)) {
        exchange.setHeader('Set-Cookie', endedCookie(public_url));
      }
      throw error;
    }
  };

  implement(api, contract.beginIdentityLogin, async ({ body, client }) => {
    const { provider: asked } = setUp();
    await begun.take(client.ip);
    const secret = makeBrowserSecret(public_url);
    const url = await asked.begin(client.ip, secret, body.fresh === true);
    return new Reply(200, { url }, { 'Set-Cookie': secret.cookie });
  });

  implement(api, contract.finishIdentityLogin, ({ body, client, exchange }) =>
    endLogin(exchange, async () => {
      const identity = await prove(body, client);
      const { services } = setUp();
      const account = await findOrMakeAccount(services, identity, client);
      const proved = { account, identity };
      const { login, headers } = await openIdentityLogin(services, accounts, proved, client);
      const cookies = [headers['Set-Cookie']!, endedCookie(public_url)];
      return new Reply(200, login, { 'Set-Cookie': cookies });
    }),
  );

  implement(api, contract.linkIdentity, async ({ body, client }) => {
    const { services } = setUp();
    const proved = await confirmLink(services, body, client);
    const { login, headers } = await openIdentityLogin(services, accounts, proved, client);
    return new Reply(200, login, headers);
  });

  implement(api, contract.confirmIdentity, ({ body, caller, client, exchange }) =>
    endLogin(exchange, async () => {
      const confirmation = await makeConfirmation(database, await prove(body, client), caller);
      return new Reply(200, { confirmation }, { 'Set-Cookie': endedCookie(public_url) });
    }),
  );

  return {
    /**
     * Checks that the owner of an account confirms a change: by the password, or by a fresh login at the
     * identity provider.
     * @throws ApiError 400 when it is confirmed by neither, 403 after too many wrong passwords.
     */
    async confirmOwner(
      caller: PersonCaller,
      { password, confirmation }: { password?: string; confirmation?: string },
      client: Client,
    ): Promise<void> {
      if (confirmation === undefined) {
        if (password === undefined) throw badRequest('password is required');
        return accounts.confirmPassword(caller, password, client);
      }
      if (password !== undefined) throw badRequest('confirmation takes the place of password');
      return requireConfirmation(database, caller, confirmation);
    },

    /**
     * Ends the login of an identity that waited for the second step, if it was one, in the transaction that opens
     * the login: see `takeWaitingIdentity`.
     */
    async takeWaiting(
      tx: Queryable,
      { sealed_secret, ...account }: IdentityAccount & { sealed_secret: string | null },
      { ip }: Client,
    ): Promise<(() => Promise<void>) | null> {
      if (sealed_secret === null) return () => Promise.resolve();
      if (settings === null) return null;
      return takeWaitingIdentity(tx, setUp().services, { ...account, sealed_secret }, ip);
    },
  };
}

interface GivenAnswer {
  code: string;
  state: string;
  iss?: string;
}

/** The 401 error when the browser has no cookie of this login. */
class NotThisBrowser extends ApiError {
  constructor() {
    super(401, 'This login was begun in another browser, or has taken too long: begin again');
  }
}
