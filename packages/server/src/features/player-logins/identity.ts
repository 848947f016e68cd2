import { hash } from 'node:crypto';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';

/** Identifies a player's login at a provider. */
export interface IdentityName {
  provider: string;
  /** The player's id at the provider. For the provider `device`, this is the device id. */
  subject: string;
}

/** Identifies a login in an environment, also after its provider's name was given to another issuer. */
export interface IdentityKey extends IdentityName {
  /**
   * The OpenID Connect issuer to which the login belongs; empty for other providers. A stored identity of an
   * earlier release has an empty one, too: it belongs to the issuer that its provider has now.
   */
  issuer: string;
}

/** The SQL types of an identity's key, for `rowsAs`. */
export const IDENTITY_KEY = { provider: 'text', issuer: 'text', subject: 'text' } as const;

/** A checked proof that the caller owns a login at a provider. */
export interface Proof extends IdentityKey {
  /**
   * For the provider `device`, the hash of the device's secret. It is compared with the stored hash. Null
   * for other providers.
   */
  secret_hash: string | null;
  /** The hash of a token that works only once; null without such a token. */
  token_hash: string | null;
  /** The time when this token expires, in milliseconds since 1970; 0 without such a token. */
  token_expires_ms: number;
  /** The player whom the provider vouches for, or null. */
  vouched_player_id: string | null;
}

/** Device secrets and the tokens of providers are long and random, so a slow hash would add no security. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

/**
 * Returns the hash that identifies a JWT. The signature is left out, because the same token can be sent
 * with its signature encoded differently.
 */
export const hashToken = (token: string): string =>
  hashSecret(token.slice(0, token.lastIndexOf('.')));

/** A player, and the login session to which the player's token belongs. */
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

/**
 * Joins the parts of an identity into one text, as a key for maps. Different identities have different
 * texts.
 */
export const nameOfIdentity = (
  tenant: Tenant,
  { provider, issuer, subject }: IdentityKey,
): string => `${tenant.game_id} ${tenant.environment} ${provider} ${issuer} ${subject}`;
