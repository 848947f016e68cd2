import { MAX_PASSKEYS } from '@overworld/contract/accounts/limits';
import * as logins from '@overworld/contract/accounts/logins';
import * as passkeys from '@overworld/contract/accounts/passkeys';
import * as recoveryCodes from '@overworld/contract/accounts/recovery-codes';
import * as contract from '@overworld/contract/accounts/second-factors';
import type { PersonCaller } from '../../platform/auth/accounts.ts';
import type { LoginAnswer, OpenedLogin, ProvedAccount } from '../../platform/auth/opened-login.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { ApiError, conflict } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import type { Client } from '../../platform/http/client.ts';
import { implement, Reply } from '../../platform/http/implement.ts';
import { deleteExpiredChallenges, insertChallenge } from './challenge-store.ts';
import type { ChallengeAccount } from './challenge-store.ts';
import {
  addPasskey,
  confirmTotp,
  makeRecoveryCodes,
  removePasskey,
  removeTotp,
  renamePasskey,
  tooManyPasskeys,
} from './factor-changes.ts';
import type { EndOtherSessions } from './factor-changes.ts';
import { getFactors } from './factor-store.ts';
import { expired, takeSecondStep } from './login-step.ts';
import { defineFactorMails } from './mails.ts';
import { listCredentials, listPasskeys } from './passkeys/passkey-store.ts';
import { findRelyingParty } from './passkeys/relying-party.ts';
import type { RelyingParty } from './passkeys/relying-party.ts';
import { resetSecondFactors } from './reset.ts';
import { sealSecret } from '../../platform/auth/sealing.ts';
import { makeTotpSecret, totpUri } from './totp/totp.ts';
import { creationOptions } from './passkeys/webauthn.ts';

/** The functions that second factors need from the accounts feature. */
interface FactorAccounts {
  /**
   * @throws ApiError 400 when neither the password nor a confirmation in its place is right, 403 after too many
   * failures.
   */
  confirmOwner(
    caller: PersonCaller,
    given: { password?: string; confirmation?: string },
    client: Client,
  ): Promise<void>;
  openLogin(tx: Queryable, account: ProvedAccount, client: Client): Promise<OpenedLogin>;
  /**
   * Ends another login that waited for the second step, by the secret of its challenge.
   * @returns the function to call after the commit; null when that login must begin again.
   */
  takeWaiting(
    tx: Queryable,
    account: ChallengeAccount,
    client: Client,
  ): Promise<(() => Promise<void>) | null>;
  endOtherSessions: EndOtherSessions;
  answerLogin(opened: OpenedLogin, email: string): Promise<LoginAnswer>;
  /** Counts the failed logins of a network address. */
  failedLogins: { check(ip: string): Promise<void>; count(ip: string): Promise<void> };
}

export function mountSecondFactors(api: Api, accounts: FactorAccounts): void {
  const { database, background, clock, public_url } = api;
  background.onOneServer(600_000, 'forgetting old second steps', () =>
    deleteExpiredChallenges(database),
  );
  const { endOtherSessions } = accounts;
  defineFactorMails(api);

  const getRelyingParty = ({ origin }: Client): RelyingParty => {
    const party = findRelyingParty(origin, public_url);
    if (party !== null) return party;
    throw conflict(
      'Passkeys need an address that begins with https, or localhost: open the dashboard there',
    );
  };

  implement(api, logins.logInWithSecondFactor, async ({ body, client }) => {
    const { failedLogins } = accounts;
    await failedLogins.check(client.ip);
    try {
      const { opened, email } = await takeSecondStep(
        { database, clock, public_url },
        body,
        client,
        async (tx, account) => {
          const endWaiting = await accounts.takeWaiting(tx, account, client);
          if (endWaiting === null) throw expired();
          return { ...(await accounts.openLogin(tx, account, client)), endWaiting };
        },
      );
      await opened.endWaiting();
      const { login, headers } = await accounts.answerLogin(opened, email);
      return new Reply(200, login, headers);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) await failedLogins.count(client.ip);
      throw error;
    }
  });

  implement(api, contract.getSecondFactors, ({ caller }) =>
    getFactors(database, caller.account_id),
  );

  implement(api, contract.beginTotp, async ({ caller, body, client }) => {
    await accounts.confirmOwner(caller, body, client);
    const { account_id, email } = caller;
    const secret = makeTotpSecret();
    const sealed = await sealSecret(database, account_id, secret);
    const challenge = await insertChallenge(database, account_id, 'add_totp', sealed);
    return { challenge, secret, uri: totpUri(secret, email) };
  });

  implement(api, contract.confirmTotp, async ({ caller, body, actor }) => ({
    recovery_codes: await confirmTotp({ database, clock, endOtherSessions }, caller, body, actor),
  }));

  implement(api, contract.removeTotp, async ({ caller, body, actor, client }) => {
    await accounts.confirmOwner(caller, body, client);
    await removeTotp(database, caller, actor);
  });

  implement(api, passkeys.beginPasskey, async ({ caller, body, client }) => {
    await accounts.confirmOwner(caller, body, client);
    const party = getRelyingParty(client);
    const { account_id: id, email } = caller;
    if ((await listPasskeys(database, id)).length >= MAX_PASSKEYS) throw tooManyPasskeys();
    const challenge = await insertChallenge(database, id, 'add_passkey');
    const existing = await listCredentials(database, id, party.rp_id);
    return { challenge, options: await creationOptions({ id, email }, party, challenge, existing) };
  });

  implement(api, passkeys.addPasskey, ({ caller, body, client, actor }) =>
    addPasskey({ database, endOtherSessions }, caller, body, getRelyingParty(client), actor),
  );

  implement(api, passkeys.renamePasskey, ({ caller, params, body, actor }) =>
    renamePasskey(database, caller, params.passkey_id, body.name, actor),
  );

  implement(api, passkeys.removePasskey, async ({ caller, params, body, actor, client }) => {
    await accounts.confirmOwner(caller, body, client);
    await removePasskey(database, caller, params.passkey_id, actor);
  });

  implement(api, recoveryCodes.makeRecoveryCodes, async ({ caller, body, actor, client }) => {
    await accounts.confirmOwner(caller, body, client);
    return { recovery_codes: await makeRecoveryCodes(database, caller, actor) };
  });

  implement(api, contract.resetSecondFactors, async ({ params, actor }) => {
    await resetSecondFactors(database, actor, params.account_id);
  });
}
