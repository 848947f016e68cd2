import type { PersonCaller } from '../../platform/auth/accounts.ts';
import type { Database } from '../../platform/database/database.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Identity } from './claims.ts';
import { findIdentityAccount } from './identity-store.ts';
import { openProof, sealProof } from './sealed-proof.ts';

const CONFIRM = 'confirm';
const LIFETIME_S = 300;
/** The greatest age of the credentials, besides the difference between the clocks. */
const FRESH_S = 300;
const TOLERANCE_S = 60;

interface Confirmed {
  account_id: string;
  session_id: string;
}

/**
 * Makes the text that confirms a change in place of the password, in the caller's session.
 * @throws ApiError 400 when the identity is that of another account, or its credentials are not fresh.
 */
export async function makeConfirmation(
  database: Database,
  identity: Identity,
  { account_id, session_id }: PersonCaller,
): Promise<string> {
  const account = await findIdentityAccount(database, identity);
  if (account?.id !== account_id) throw badRequest('This is not the identity of your account');
  if (identity.authenticated_s === null) {
    throw badRequest(
      'The identity provider does not say when it asked for your credentials: set a password by a link to reset it, and confirm with that',
    );
  }
  if (Date.now() / 1000 - identity.authenticated_s > FRESH_S + TOLERANCE_S) {
    throw badRequest('The identity provider did not ask for your credentials again');
  }
  const proof: Confirmed = { account_id, session_id };
  return sealProof(database, CONFIRM, proof, LIFETIME_S);
}

/** @throws ApiError 400 when the text confirms nothing for this session, or is too old. */
export async function requireConfirmation(
  database: Database,
  { account_id, session_id }: PersonCaller,
  confirmation: string,
): Promise<void> {
  const proof = await openProof<Confirmed>(database, CONFIRM, confirmation);
  if (proof?.account_id === account_id && proof.session_id === session_id) return;
  throw badRequest('confirmation is wrong or too old: log in at the identity provider again');
}
