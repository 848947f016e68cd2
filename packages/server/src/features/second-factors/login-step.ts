import type { SecondFactorMethod } from '@overworld/contract/accounts/logins';
import { insertAuditEntry } from '../../platform/audit.ts';
import { accountLocked, accountPending } from '../../platform/auth/accounts.ts';
import { hasFactor } from '../../platform/auth/second-factor-policy.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { ApiError, badRequest } from '../../platform/errors.ts';
import {
  deleteChallenge,
  insertChallenge,
  insertChallengeFailure,
  lockChallenge,
} from './challenge-store.ts';
import type { ChallengeAccount } from './challenge-store.ts';
import { postFactorMail } from './mails.ts';
import { listCredentials, updatePasskeyUse } from './passkeys/passkey-store.ts';
import { countRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts';
import { findRelyingParty } from './passkeys/relying-party.ts';
import type { RelyingParty } from './passkeys/relying-party.ts';
import { openSecret } from '../../platform/auth/sealing.ts';
import { findTotpStep } from './totp/totp.ts';
import {
  deleteTotpFailures,
  findTotp,
  findTotpLock,
  insertTotpFailure,
  takeTotpStep,
} from './totp/totp-store.ts';
import { requestOptions, verifyAnswer } from './passkeys/webauthn.ts';

interface Services {
  database: Database;
  clock: Clock;
  public_url: string;
}

/** The answer to the second step. Exactly one member is set. */
export interface SecondStep {
  code?: string;
  recovery_code?: string;
  passkey?: unknown;
}

const refused = (code: string, error: string, fields: object = {}) =>
  new ApiError(401, error, { code, ...fields });

/** The 401 error of a challenge that cannot be answered any more. */
export const expired = () =>
  refused(
    'SECOND_FACTOR_EXPIRED',
    'This login has taken too long or failed too often: begin again',
  );

/**
 * Makes the function that asks for the second step of a login whose password was right. The function returns
 * the error to answer with, or null when the account has no second factor. The error offers the passkeys that
 * work at the origin of the request. The challenge keeps the text of `makeSecret`, if it is given.
 */
export function createSecondStep({ database, public_url }: Omit<Services, 'clock'>) {
  return async (
    account_id: string,
    origin: string | undefined,
    makeSecret?: () => Promise<string>,
  ): Promise<ApiError | null> => {
    if (!(await hasFactor(database, account_id))) return null;
    const party = findRelyingParty(origin, public_url);
    const totp = await findTotp(database, account_id);
    const credentials = party ? await listCredentials(database, account_id, party.rp_id) : [];
    const methods: SecondFactorMethod[] = [];
    // After restoring a backup without secrets, the secret of the authenticator app cannot be decrypted.
    if (totp && (await openSecret(database, account_id, totp.sealed_secret))) methods.push('totp');
    if (credentials.length > 0) methods.push('passkey');
    if ((await countRecoveryCodes(database, account_id)) > 0) methods.push('recovery_code');
    const secret = await makeSecret?.();
    const challenge = await insertChallenge(database, account_id, 'log_in', secret);
    return refused(
      'SECOND_FACTOR_REQUIRED',
      'This account asks for a second step: send a code of the authenticator app, a passkey or a recovery code',
      {
        methods,
        challenge,
        ...(party && credentials.length > 0
          ? { passkey_options: await requestOptions(party, challenge, credentials) }
          : {}),
      },
    );
  };
}

/**
 * Takes the second step of a login, and runs `open` in the same transaction.
 * @throws ApiError 400 unless the step has exactly one member, 401 when it fails, 403 when the account is
 * locked or pending.
 */
export async function takeSecondStep<T>(
  services: Services,
  { challenge, ...step }: SecondStep & { challenge: string },
  from: { ip: string; origin: string | undefined },
  open: (tx: Queryable, account: ChallengeAccount) => Promise<T>,
): Promise<{ opened: T; email: string }> {
  const ways = [step.code, step.recovery_code, step.passkey];
  if (ways.filter((way) => way !== undefined).length !== 1) {
    throw badRequest('Give one of code, recovery_code and passkey');
  }
  const party = findRelyingParty(from.origin, services.public_url);
  // An error that is thrown in the transaction would roll back the count of failures, so it is thrown
  // afterwards.
  const judged = await services.database.transaction(async (tx) => {
    const account = await lockChallenge(tx, challenge, 'log_in');
    if (account === null) return expired();
    if (account.status === 'locked') return accountLocked();
    if (account.status === 'pending') return accountPending();
    const problem = await judgeStep(tx, services.clock, { account, challenge, party, step });
    if (problem !== null) {
      await insertChallengeFailure(tx, challenge);
      return problem;
    }
    await deleteChallenge(tx, challenge);
    await deleteTotpFailures(tx, account.id);
    if (step.recovery_code !== undefined) await noteRecoveryCode(tx, account, from.ip);
    return { opened: await open(tx, account), email: account.email };
  });
  if (judged instanceof ApiError) throw judged;
  return judged;
}

interface Attempt {
  account: ChallengeAccount;
  challenge: string;
  party: RelyingParty | null;
  step: SecondStep;
}

/** Returns the error to answer with, or null if the step is right. A right step cannot be used again. */
async function judgeStep(tx: Queryable, clock: Clock, attempt: Attempt): Promise<ApiError | null> {
  const { account, step } = attempt;
  if (step.code !== undefined) return judgeCode(tx, clock, account, step.code);
  if (step.recovery_code !== undefined) {
    if (await takeRecoveryCode(tx, account.id, step.recovery_code)) return null;
    return refused('SECOND_FACTOR_WRONG', 'This recovery code is wrong or was used already');
  }
  if (await usePasskey(tx, attempt)) return null;
  return refused('SECOND_FACTOR_WRONG', 'This passkey was not accepted: try again or another way');
}

async function judgeCode(
  tx: Queryable,
  clock: Clock,
  account: ChallengeAccount,
  code: string,
): Promise<ApiError | null> {
  const locked_until = await findTotpLock(tx, account.id);
  if (locked_until !== null) {
    return refused(
      'SECOND_FACTOR_LOCKED',
      'Too many wrong codes: wait, or use a passkey or a recovery code',
      { locked_until },
    );
  }
  const totp = await findTotp(tx, account.id);
  const secret = totp && (await openSecret(tx, account.id, totp.sealed_secret));
  const step = secret ? findTotpStep(secret, code, clock()) : null;
  if (step !== null && (await takeTotpStep(tx, account.id, step))) return null;
  if (await insertTotpFailure(tx, account.id)) await postFactorMail(tx, account.id, 'codes_locked');
  return refused(
    'SECOND_FACTOR_WRONG',
    'This code is wrong or was used already: wait for the next one of the app',
  );
}

async function usePasskey(
  tx: Queryable,
  { account, challenge, party, step }: Attempt,
): Promise<boolean> {
  if (party === null) return false;
  const credentials = await listCredentials(tx, account.id, party.rp_id);
  const { id } = step.passkey as { id: string };
  const credential = credentials.find(({ credential_id }) => credential_id === id);
  if (credential === undefined) return false;
  const sign_count = await verifyAnswer(step.passkey, party, challenge, credential);
  if (sign_count === null) return false;
  await updatePasskeyUse(tx, credential.credential_id, sign_count);
  return true;
}

/** Records the use of a recovery code, and tells the owner of the account. */
async function noteRecoveryCode(tx: Queryable, account: ChallengeAccount, ip: string) {
  const { id: account_id, email } = account;
  const actor = { account: { account_id, email }, ip };
  const details = { codes_left: await countRecoveryCodes(tx, account_id) };
  await insertAuditEntry(tx, { actor, game_id: null }, 'use_recovery_code', email, details);
  await postFactorMail(tx, account_id, 'recovery_code_used');
}
