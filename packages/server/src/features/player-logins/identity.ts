import { hash } from 'node:crypto';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';

/** The name of a player's login at a provider. */
export interface IdentityName {
  provider: string;
  /** The player's id at the provider; for `device` the device id. */
  subject: string;
}

/** The proof of a caller's identity at a provider. */
export interface Proof extends IdentityName {
  /**
   * The hash of a device's secret, which is compared with the
   * hash in the stored identity; null for other providers.
   */
  secret_hash: string | null;
  /** The hash of a token that works only once; null without such a token. */
  token_hash: string | null;
  /** The time when this token expires, in milliseconds since 1970; 0 without such a token. */
  token_expires_ms: number;
  /** The player whom the provider vouches for, or null. */
  vouched_player_id: string | null;
}

/** Secrets and tokens of providers are long and random, so a slow hash would add nothing. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

/**
 * Returns the hash that identifies a JWT. The signature is left out, because the same token can be sent
 * with its signature encoded differently.
 */
export const hashToken = (token: string): string =>
  hashSecret(token.slice(0, token.lastIndexOf('.')));

/** A player, and the login session of the player's token. */
export interface PlayerSession extends PlayerKey {
  session_id: string;
}

/** The result of a login: the player, and the session that the login opened. */
export interface LoggedIn {
  player: PlayerKey;
  session_id: string;
  refresh_token: string;
  created: boolean;
  providers: string[];
}

/** Returns the name of an identity as one text, for maps. No two identities have the same name. */
export const nameOfIdentity = (tenant: Tenant, { provider, subject }: IdentityName): string =>
  `${tenant.game_id} ${tenant.environment} ${provider} ${subject}`;
