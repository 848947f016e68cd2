import type { logIn } from '@overworld/contract/accounts/logins';
import type { SuccessOf } from '@overworld/contract/operation';
import type { TokenClaims } from './tokens.ts';

/** An account that has just proved its identity. */
export interface ProvedAccount {
  id: string;
  token_generation: number;
}

/** A login that is stored: its session, and the token of its browser. */
export interface OpenedLogin {
  claims: TokenClaims;
  device_token: string;
}

/** Body and headers of the answer to a login. */
export interface LoginAnswer {
  login: SuccessOf<typeof logIn>;
  headers: Record<string, string>;
}
