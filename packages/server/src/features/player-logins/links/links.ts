import { MAX_LOGINS_OF_PLAYER } from '@overworld/contract/players/login-limits';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { retryDeadlocks } from '../../../platform/database/retry-deadlocks.ts';
import { conflict, notFound } from '../../../platform/errors.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { IdentityName, PlayerSession, Proof } from '../identity.ts';
import { sortProviders } from '../login-store.ts';
import { tokenUsed, wrongSecret } from '../logins.ts';
import * as store from './link-store.ts';

/**
 * Links a proved identity to a player. If they are linked already, nothing changes.
 * @returns the providers of the player.
 * @throws ApiError 401 when the proof is wrong, or was used before for a new identity, or the
 * session has ended; 404 when the player was erased; 409 when the identity
 * belongs to another player, or the player can have no more identities.
 */
export function link(database: Database, session: PlayerSession, proof: Proof): Promise<string[]> {
  return retryDeadlocks(() =>
    database.transaction(async (tx) => {
      const isVouched = proof.vouched_player_id !== null;
      const is_claim = !isVouched && (await store.isOfClaim(tx, session));
      const providers = await linkIn(tx, session, proof, is_claim);
      await store.requireOpenSession(tx, session);
      return providers;
    }),
  );
}

/**
 * Does the same as `link` in a given transaction, without a session.
 * @param is_claim True if nobody has vouched for the login that adds this one.
 */
export async function linkIn(
  tx: Queryable,
  player: PlayerKey,
  proof: Proof,
  is_claim: boolean,
): Promise<string[]> {
  const known = await store.findIdentity(tx, player, proof);
  const isNew = known === null && (await store.insertIdentity(tx, player, proof, is_claim));
  if (!isNew) {
    const owner = known ?? (await store.findIdentity(tx, player, proof));
    if (owner?.player_id !== player.player_id) throw ofAnotherPlayer(proof);
    if (owner.secret_hash !== proof.secret_hash) throw wrongSecret();
  }
  // A repeat changes nothing and opens no session, so a client that has lost the answer gets it again.
  if (!(await store.useToken(tx, player, proof)) && isNew) throw tokenUsed();
  if (!(await store.lockIdentities(tx, player))) throw notFound('Player not found');
  const identities = await store.listIdentities(tx, player);
  const ofProvider = identities.filter(({ provider }) => provider === proof.provider);
  if (isNew && proof.provider !== 'device' && ofProvider.length > 1) {
    throw conflict(
      'The player has another login of this provider: remove it first, or log in with this one to play as its player',
    );
  }
  if (isNew && identities.length > MAX_LOGINS_OF_PLAYER) throw tooManyLogins();
  return providersOf(identities);
}

/**
 * Removes the logins of a provider from a player.
 * @returns the providers that are left.
 * @throws ApiError 401 when the session has ended, 404 when the
 * player has no such login, 409 when the player has no other login.
 */
export function unlink(
  database: Database,
  session: PlayerSession,
  provider: string,
): Promise<string[]> {
  return retryDeadlocks(() => database.transaction((tx) => unlinkIn(tx, session, provider)));
}

async function unlinkIn(tx: Queryable, player: PlayerSession, provider: string): Promise<string[]> {
  await store.lockIdentities(tx, player);
  await store.requireOpenSession(tx, player);
  const identities = await store.listIdentities(tx, player);
  const removed = identities.filter((identity) => identity.provider === provider);
  if (removed.length === 0) throw notFound('The player has no login of this provider');
  if (removed.length === identities.length) {
    throw conflict('This is the last login of the player: link another one first');
  }
  for (const identity of removed) await store.deleteIdentity(tx, player, identity);
  return providersOf(identities.filter((identity) => !removed.includes(identity)));
}

const providersOf = (identities: readonly IdentityName[]): string[] =>
  sortProviders(identities.map(({ provider }) => provider));

const ofAnotherPlayer = ({ provider }: IdentityName) =>
  conflict(
    provider === 'device'
      ? 'This device belongs to another player: send a new device_id with a new secret'
      : 'This login belongs to another player: log in with it to play as that player, or unlink it there first',
  );

export const tooManyLogins = () =>
  conflict(`A player can have at most ${MAX_LOGINS_OF_PLAYER} logins: remove one first`);
