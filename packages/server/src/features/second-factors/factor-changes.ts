import type { AuditAction } from '@overworld/contract/games/audit-actions';
import { MAX_PASSKEYS } from '@overworld/contract/accounts/limits';
import type { Passkey } from '@overworld/contract/accounts/passkeys';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import { lockAccountRow } from '../../platform/auth/account-lock.ts';
import type { PersonCaller } from '../../platform/auth/accounts.ts';
import { hasFactor } from '../../platform/auth/second-factor-policy.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { ApiError, badRequest, conflict, notFound } from '../../platform/errors.ts';
import { isUuid } from '../../platform/http/validation.ts';
import { deleteChallenge, insertChallengeFailure, lockChallenge } from './challenge-store.ts';
import type { ChallengePurpose } from './challenge-store.ts';
import { deleteUselessCodes } from './factor-store.ts';
import { postFactorMail } from './mails.ts';
import type { FactorNews } from './mails.ts';
import {
  deletePasskey,
  findPasskeyName,
  insertPasskey,
  listPasskeys,
  updatePasskeyName,
} from './passkeys/passkey-store.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import type { RelyingParty } from './passkeys/relying-party.ts';
import { openSecret } from '../../platform/auth/sealing.ts';
import { findTotpStep } from './totp/totp.ts';
import { deleteTotp, deleteTotpFailures, upsertTotp } from './totp/totp-store.ts';
import { readCreation } from './passkeys/webauthn.ts';

/** A function that ends all sessions of the caller's account except the caller's own. */
export type EndOtherSessions = (tx: Queryable, caller: PersonCaller) => Promise<unknown>;

interface Services {
  database: Database;
  endOtherSessions: EndOtherSessions;
}

const tooLate = () => conflict('This took too long: begin again');
export const passkeyNotFound = () => notFound('Passkey not found');
export const tooManyPasskeys = () =>
  conflict(`An account has at most ${MAX_PASSKEYS} passkeys: remove one first`);

/**
 * Sets up an authenticator app. The code must prove that the app has the secret of the challenge.
 * @returns recovery codes when the app is the first factor; otherwise null.
 * @throws ApiError 400 when the code is wrong, 409 when the challenge cannot be answered any more.
 */
export async function confirmTotp(
  { database, clock, endOtherSessions }: Services & { clock: Clock },
  caller: PersonCaller,
  { challenge, code }: { challenge: string; code: string },
  actor: Actor,
): Promise<string[] | null> {
  const { account_id } = caller;
  const result = await database.transaction(async (tx) => {
    const sealed_secret = await lockOwnChallenge(tx, caller, challenge, 'add_totp');
    const secret = sealed_secret && (await openSecret(tx, account_id, sealed_secret));
    if (!secret) throw tooLate();
    const last_step = findTotpStep(secret, code, clock());
    if (last_step === null) {
      await insertChallengeFailure(tx, challenge);
      return badRequest('code is wrong: check the clock of the phone, and type the newest code');
    }
    await deleteChallenge(tx, challenge);
    const isFirst = !(await hasFactor(tx, account_id));
    await upsertTotp(tx, account_id, { sealed_secret, last_step });
    await deleteTotpFailures(tx, account_id);
    await record(tx, caller, actor, 'add_totp', 'totp_added');
    return isFirst ? beginTwoFactorLogin(tx, caller, endOtherSessions) : null;
  });
  if (result instanceof ApiError) throw result;
  return result;
}

/** @throws ApiError 404 when the account has no authenticator app. */
export async function removeTotp(
  database: Database,
  caller: PersonCaller,
  actor: Actor,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockAccountRow(tx, caller.account_id);
    if (!(await deleteTotp(tx, caller.account_id))) {
      throw notFound('No authenticator app is set up');
    }
    await deleteUselessCodes(tx, caller.account_id);
    await record(tx, caller, actor, 'remove_totp', 'totp_removed');
  });
}

/**
 * Adds the passkey that the browser has made.
 * @returns the passkey, with recovery codes when it is the first factor.
 * @throws ApiError 400 when the passkey does not fit the challenge, 409 when the challenge cannot be answered
 * any more, the account has too many passkeys, or the passkey is known already.
 */
export async function addPasskey(
  { database, endOtherSessions }: Services,
  caller: PersonCaller,
  given: { challenge: string; name: string; credential: unknown },
  party: RelyingParty,
  actor: Actor,
): Promise<Passkey & { recovery_codes: string[] | null }> {
  const { account_id } = caller;
  return database.transaction(async (tx) => {
    await lockOwnChallenge(tx, caller, given.challenge, 'add_passkey');
    const credential = await readCreation(given.credential, party, given.challenge);
    if (credential === null) throw badRequest('credential is not what was asked for');
    await deleteChallenge(tx, given.challenge);
    const existing = await listPasskeys(tx, account_id);
    if (existing.length >= MAX_PASSKEYS) throw tooManyPasskeys();
    const isFirst = !(await hasFactor(tx, account_id));
    const { name } = given;
    const added = { name, rp_id: party.rp_id, ...credential };
    const passkey = await insertPasskey(tx, account_id, added);
    if (passkey === null) throw conflict('This passkey is known here already');
    await record(tx, caller, actor, 'add_passkey', 'passkey_added', { name });
    const recovery_codes = isFirst ? await beginTwoFactorLogin(tx, caller, endOtherSessions) : null;
    return { ...passkey, recovery_codes };
  });
}

/** @throws ApiError 404 when the account has no such passkey. */
export async function renamePasskey(
  database: Database,
  caller: PersonCaller,
  passkey_id: string,
  name: string,
  actor: Actor,
): Promise<Passkey> {
  return database.transaction(async (tx) => {
    const before = await lockPasskey(tx, caller, passkey_id);
    await insertAuditEntry(tx, { actor, game_id: null }, 'rename_passkey', caller.email, {
      from: before,
      to: name,
    });
    return updatePasskeyName(tx, caller.account_id, passkey_id, name);
  });
}

/** @throws ApiError 404 when the account has no such passkey. */
export async function removePasskey(
  database: Database,
  caller: PersonCaller,
  passkey_id: string,
  actor: Actor,
): Promise<void> {
  await database.transaction(async (tx) => {
    const name = await lockPasskey(tx, caller, passkey_id);
    await deletePasskey(tx, caller.account_id, passkey_id);
    await deleteUselessCodes(tx, caller.account_id);
    await record(tx, caller, actor, 'remove_passkey', 'passkey_removed', { name });
  });
}

/** @throws ApiError 409 when the account has no second factor. */
export async function makeRecoveryCodes(
  database: Database,
  caller: PersonCaller,
  actor: Actor,
): Promise<string[]> {
  return database.transaction(async (tx) => {
    await lockAccountRow(tx, caller.account_id);
    if (!(await hasFactor(tx, caller.account_id))) {
      throw conflict('Set up an authenticator app or a passkey first');
    }
    await record(tx, caller, actor, 'make_recovery_codes', 'recovery_codes_made');
    return replaceRecoveryCodes(tx, caller.account_id);
  });
}

/** Ends sessions that were opened without a second step. @returns new recovery codes. */
async function beginTwoFactorLogin(
  tx: Queryable,
  caller: PersonCaller,
  endOtherSessions: EndOtherSessions,
): Promise<string[]> {
  await endOtherSessions(tx, caller);
  return replaceRecoveryCodes(tx, caller.account_id);
}

/** Locks a challenge, which must belong to the caller. @returns its sealed secret. */
async function lockOwnChallenge(
  tx: Queryable,
  caller: PersonCaller,
  challenge: string,
  purpose: ChallengePurpose,
): Promise<string | null> {
  const account = await lockChallenge(tx, challenge, purpose);
  if (account?.id !== caller.account_id) throw tooLate();
  return account.sealed_secret;
}

async function lockPasskey(
  tx: Queryable,
  { account_id }: PersonCaller,
  passkey_id: string,
): Promise<string> {
  await lockAccountRow(tx, account_id);
  const name = isUuid(passkey_id) ? await findPasskeyName(tx, account_id, passkey_id) : null;
  if (name === null) throw passkeyNotFound();
  return name;
}

async function record(
  tx: Queryable,
  { account_id, email }: PersonCaller,
  actor: Actor,
  action: AuditAction,
  news: FactorNews,
  details?: Record<string, unknown>,
): Promise<void> {
  await insertAuditEntry(tx, { actor, game_id: null }, action, email, details);
  await postFactorMail(tx, account_id, news);
}
