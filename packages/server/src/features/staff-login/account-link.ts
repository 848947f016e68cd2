import { ApiError, badRequest } from '../../platform/errors.ts';
import type { Client } from '../../platform/http/client.ts';
import { bind, changedMeanwhile, LINK } from './identity-login.ts';
import type { LinkProof, LoginServices } from './identity-login.ts';
import { findAccountByEmail } from './identity-store.ts';
import type { IdentityAccount } from './identity-store.ts';
import { readKeptIdentity } from './kept-identity.ts';
import type { ProvedIdentity } from './kept-identity.ts';
import { openProof } from './sealed-proof.ts';

/** The answer of a person to the question whether an account is theirs. */
interface GivenLink {
  challenge: string;
  password?: string;
  discard_password?: boolean;
}

/** An account that the login of an identity may join. */
interface JoinableAccount {
  account: IdentityAccount;
  identity: ProvedIdentity;
}

/**
 * Finds the account that the identity of a challenge may join, after its password has confirmed this. If nobody has
 * proved to own the address of the account, it is taken and joined without the password.
 * @throws ApiError 401 when the challenge is too old or the password is wrong, 403 when the account is locked, 409
 * when either has been joined, or the address was proved meanwhile.
 */
export async function confirmLink(
  services: LoginServices,
  { challenge, password, discard_password }: GivenLink,
  client: Client,
): Promise<JoinableAccount> {
  if ((password === undefined) === (discard_password !== true)) {
    throw badRequest('Send password, or discard_password with the value true');
  }
  const proof = await openProof<LinkProof>(services.database, LINK, challenge);
  if (proof === null) throw tookTooLong();
  const identity = readKeptIdentity(proof.identity, services.settings);
  if (identity === null) throw tookTooLong();
  const account =
    password === undefined
      ? await takeUnproved(services, proof, identity, client)
      : await checkPassword(services, proof, password, client);
  return { account, identity };
}

const tookTooLong = () => new ApiError(401, 'This login has taken too long: begin again');

async function checkPassword(
  services: LoginServices,
  { account_id, email }: LinkProof,
  password: string,
  client: Client,
): Promise<IdentityAccount> {
  const account = await services.accounts.checkPassword({ email, password }, client);
  // The address could have been given to another account since.
  if (account.id !== account_id) throw new ApiError(401, 'Invalid email or password');
  return account;
}

async function takeUnproved(
  services: LoginServices,
  { account_id, email }: LinkProof,
  identity: ProvedIdentity,
  { ip }: Client,
): Promise<IdentityAccount> {
  const { database, accounts } = services;
  // A hash takes long, so callers get none for an account that they cannot take.
  const found = await findAccountByEmail(database, email);
  if (found?.id !== account_id || found.email_verified) throw changedMeanwhile();
  const unknown_hash = await accounts.makeUnknownHash({ ip, email });
  return database.transaction(async (tx) => {
    const actor = { account: { account_id, email }, ip };
    const taken = await accounts.takeUnproved(tx, { account_id, email }, unknown_hash, actor);
    if (taken === null) throw changedMeanwhile();
    const { account, revoked_access_tokens } = taken;
    const details = { discarded_password: true, revoked_access_tokens };
    return bind(tx, services, identity, account, ip, details);
  });
}
