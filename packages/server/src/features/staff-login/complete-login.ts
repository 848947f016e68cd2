import { refuseInactive } from '../../platform/auth/accounts.ts';
import type { LoginAnswer, OpenedLogin, ProvedAccount } from '../../platform/auth/opened-login.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { ApiError } from '../../platform/errors.ts';
import type { Client } from '../../platform/http/client.ts';
import { applyGroupRoles, rolesOf } from './group-roles.ts';
import { bindOnce, otherIdentity } from './identity-login.ts';
import type { LoginServices } from './identity-login.ts';
import { findContradiction, updateIdentityUse } from './identity-store.ts';
import type { IdentityAccount } from './identity-store.ts';
import { keepIdentity, readKeptIdentity } from './kept-identity.ts';
import type { KeptIdentity, ProvedIdentity } from './kept-identity.ts';
import { openProof, sealProof } from './sealed-proof.ts';

/** The purpose of the proof of an identity that waits for the second step of its login. */
const SECOND_STEP = 'second step';
/** Longer than a second step can take. */
const SECOND_STEP_LIFETIME_S = 600;

/** The parts of the accounts feature that open a login. */
export interface LoginOpener {
  /**
   * Makes the error that asks for the second step; null if the account has no second factor.
   * @param makeSecret Makes the text that the second step hands back.
   */
  askSecondStep(
    account_id: string,
    origin: string | undefined,
    makeSecret: () => Promise<string>,
  ): Promise<ApiError | null>;
  openLogin(tx: Queryable, account: ProvedAccount, client: Client): Promise<OpenedLogin>;
  answerLogin(opened: OpenedLogin, email: string): Promise<LoginAnswer>;
}

/** An account that waits for the second step of a login with an identity. */
interface WaitingProof {
  account_id: string;
  identity: KeptIdentity;
}

/**
 * Logs an identity in to an account, which may join it. If the account has a second factor, it is joined and gets
 * the roles of the groups only after the second step, because the identity alone does not prove who owns it.
 * @throws ApiError 401 when the second step follows, 403 when the account is locked or pending, 409 when either has
 * been joined otherwise, or the account was changed meanwhile.
 */
export async function openIdentityLogin(
  services: LoginServices,
  opener: LoginOpener,
  { account, identity }: { account: IdentityAccount; identity: ProvedIdentity },
  client: Client,
): Promise<LoginAnswer> {
  const { database, settings } = services;
  const { id: account_id } = account;
  if (account.status === 'locked') refuseInactive(account.status);
  if (await findContradiction(database, identity, account_id)) throw otherIdentity();
  const second_step = await opener.askSecondStep(account_id, client.origin, () => {
    const proof: WaitingProof = { account_id, identity: keepIdentity(identity, settings) };
    return sealProof(database, SECOND_STEP, proof, SECOND_STEP_LIFETIME_S);
  });
  if (second_step !== null) throw second_step;
  const opened = await database.transaction(async (tx) => {
    await bindOnce(tx, services, identity, account, client.ip);
    return opener.openLogin(tx, account, client);
  });
  await noteLogin(services, identity, account, client.ip);
  return opener.answerLogin(opened, account.email);
}

/**
 * Joins an account with the identity that waited for the second step, in the transaction that opens the login.
 * @param secret The text that `openIdentityLogin` has made for the second step.
 * @returns the function to call after the commit, which gives the account the roles of its groups; null when the
 * login must begin again, because it has taken too long or the settings are others now.
 * @throws ApiError 403 when the account is locked, 409 when either has been joined otherwise.
 */
export async function takeWaitingIdentity(
  tx: Queryable,
  services: LoginServices,
  account: IdentityAccount & { sealed_secret: string },
  ip: string,
): Promise<(() => Promise<void>) | null> {
  const proof = await openProof<WaitingProof>(tx, SECOND_STEP, account.sealed_secret);
  if (proof?.account_id !== account.id) return null;
  const identity = readKeptIdentity(proof.identity, services.settings);
  if (identity === null) return null;
  await bindOnce(tx, services, identity, account, ip);
  return () => noteLogin(services, identity, account, ip);
}

/** Stores the time of a login that is complete, and gives the account the roles of its groups. */
async function noteLogin(
  { database, settings, warn }: LoginServices,
  identity: ProvedIdentity,
  { id: account_id, email }: IdentityAccount,
  ip: string,
): Promise<void> {
  await updateIdentityUse(database, identity);
  const roles = rolesOf(identity.groups, settings.group_roles);
  await applyGroupRoles(database, { account_id, email }, roles, ip, warn);
}
