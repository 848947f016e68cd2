import { hash } from 'node:crypto';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';

/** Names a login of a player at its provider. */
export interface IdentityName {
  provider: string;
  /** The id of the player at the provider; for `device` the device id. */
  subject: string;
}

/** A caller who has proved to be somebody at a provider. */
export interface Proof extends IdentityName {
  /**
   * The hash of a device's secret, to be compared with the stored identity; null for other providers.
   */
  secret_hash: string | null;
  /** The hash of a token that works once; else null. */
  token_hash: string | null;
  /** When such a token expires, in milliseconds since 1970; 0 without one. */
  token_expires_ms: number;
  /** The player whom the provider vouches for; else null. */
  vouched_player_id: string | null;
}

/** Secrets and tokens of providers are long and random, so a slow hash would add nothing. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

/**
 * The hash by which a JWT is known again. It leaves the signature out, because the same token can be sent
 * with its signature written in other ways.
 */
export const hashToken = (token: string): string =>
  hashSecret(token.slice(0, token.lastIndexOf('.')));

/** A player, and the login session of the player's token. */
export interface PlayerSession extends PlayerKey {
  session_id: string;
}

/** A player who has logged in, in an open session. */
export interface LoggedIn {
  player: PlayerKey;
  session_id: string;
  refresh_token: string;
  created: boolean;
  providers: string[];
}

/** The name of an identity as one text, for maps: no two identities have the same. */
export const nameOfIdentity = (tenant: Tenant, { provider, subject }: IdentityName): string =>
  `${tenant.game_id} ${tenant.environment} ${provider} ${subject}`;
