import { ApiError } from '../../platform/errors.ts';
import type { IdClaims } from '../../platform/login-providers/id-token.ts';
import type { StaffLoginSettings } from '../../platform/staff-login-settings.ts';

/** The claims that logins of staff read, unchecked. */
export interface IdTokenClaims {
  nonce?: unknown;
  azp?: unknown;
  email?: unknown;
  email_verified?: unknown;
  auth_time?: unknown;
  /** Entra: 1 for a guest of the tenant. */
  acct?: unknown;
  hasgroups?: unknown;
  _claim_names?: unknown;
}

type Claims = IdClaims<IdTokenClaims>;

/** A person as the provider knows them. */
export interface Identity {
  issuer: string;
  subject: string;
  /** The address that the provider vouches for; null if it vouches for none. */
  email: string | null;
  groups: string[];
  /** When the person typed credentials at the provider, in seconds since 1970; null if it does not say. */
  authenticated_s: number | null;
}

/**
 * Tells whether claims that a login needs are not in the ID token. Some providers, such as Okta, give the address
 * or the groups only at their UserInfo endpoint.
 */
export function leavesOut(claims: Claims, { groups_claim, group_roles }: StaffLoginSettings) {
  const needsGroups = group_roles.length > 0 && !hasTooManyGroups(claims, groups_claim);
  return claims.email === undefined || (needsGroups && claims[groups_claim] === undefined);
}

/** Adds claims of the UserInfo endpoint to those of the ID token, which count first. */
export function addLeftOut(
  claims: Claims,
  found: Record<string, unknown>,
  { groups_claim }: StaffLoginSettings,
): Claims {
  const { email, email_verified } = claims.email === undefined ? found : claims;
  const groups = claims[groups_claim] ?? found[groups_claim];
  return { ...claims, [groups_claim]: groups, email, email_verified };
}

/**
 * Reads the claims of a checked ID token.
 * @throws ApiError 403 when the provider has left out the groups because they are too many, or the person is a guest
 * whose address nobody there answers for.
 */
export function readIdentity(claims: Claims, settings: StaffLoginSettings): Identity {
  const { sub, email, email_verified, auth_time, acct } = claims;
  // Other directories set the addresses of guests.
  if (settings.trusts_emails && (acct === 1 || acct === '1')) {
    throw new ApiError(403, 'Guests of the directory may not log in');
  }
  // Some providers write the claim as a text.
  const isVerified = email_verified === true || email_verified === 'true';
  const isDenied = email_verified === false || email_verified === 'false';
  const isTrusted = isVerified || (settings.trusts_emails && !isDenied);
  return {
    issuer: settings.issuer,
    subject: sub,
    email: typeof email === 'string' && isTrusted ? email : null,
    groups: readGroups(claims, settings),
    authenticated_s: typeof auth_time === 'number' ? auth_time : null,
  };
}

/** A claim that is absent means no groups: providers leave it out for a person who is in none. */
function readGroups(claims: Claims, { groups_claim, group_roles }: StaffLoginSettings): string[] {
  if (group_roles.length === 0) return [];
  const groups = claims[groups_claim];
  const given: unknown[] | null =
    typeof groups === 'string' ? [groups] : Array.isArray(groups) ? groups : null;
  // A person can be in thousands of groups, and the proof of a login must stay short.
  if (given !== null) {
    const known = new Set(group_roles.map(({ group }) => group));
    return [...known].filter((group) => given.includes(group));
  }
  // Without this check, the person would lose all roles.
  if (hasTooManyGroups(claims, groups_claim)) {
    throw new ApiError(
      403,
      'The identity provider leaves out your groups because they are too many: let it send only the groups of this application',
    );
  }
  return [];
}

/** Entra leaves the groups out if there are more than 200, and says where to ask for them, or only that. */
function hasTooManyGroups({ hasgroups, _claim_names: elsewhere }: Claims, claim: string): boolean {
  if (claim === 'groups' && (hasgroups === true || hasgroups === 'true')) return true;
  return typeof elsewhere === 'object' && elsewhere !== null && claim in elsewhere;
}

/** Tells whether the address is of a domain that may join. Subdomains are domains of their own. */
export function mayJoin(email: string, { domains }: StaffLoginSettings): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return domains === null || domains.includes(domain);
}
