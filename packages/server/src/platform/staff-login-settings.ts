import { ROLES } from '@overworld/contract/operation';
import type { Role } from '@overworld/contract/operation';
import { ConfigError } from './config-error.ts';

/** The OpenID Connect issuer with which staff log in, as the operator has set it. */
export interface StaffLoginSettings {
  /** The issuer's URL, exactly as in its discovery document and in the claim `iss`. */
  issuer: string;
  client_id: string;
  /** Null for a client without a secret, which proves itself by PKCE alone. */
  client_secret: string | null;
  /** The name of the issuer on the login page. */
  name: string;
  /** The domains whose addresses may join, in lower case; null: all. */
  domains: readonly string[] | null;
  /** True if the issuer's addresses count as verified without the claim `email_verified`. */
  trusts_emails: boolean;
  /** The scopes that a login asks for, with spaces between. */
  scopes: string;
  /** The claim with the groups of a person. */
  groups_claim: string;
  /** The roles that the groups give. */
  group_roles: readonly GroupRole[];
  /** True if passwords log nobody in. */
  only: boolean;
}

/** A role in a game that the members of a group get. */
export interface GroupRole {
  group: string;
  role: Role;
  game_id: string;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const GROUP_ROLE = new RegExp(`^(.+)=(${ROLES.join('|')})@(${UUID})$`, 'i');
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

const NAMES = [
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
  'OIDC_DOMAINS',
  'OIDC_TRUST_EMAILS',
  'OIDC_SCOPES',
  'OIDC_GROUPS_CLAIM',
  'OIDC_ROLES',
  'OIDC_ONLY',
] as const;

/**
 * Reads the settings of logins with the studio's identity.
 * @returns null when OIDC_ISSUER is not set.
 * @throws ConfigError, whose sentence repeats no secret.
 */
export function readStaffLogin(read: (name: string) => string | null): StaffLoginSettings | null {
  const issuer = read('OIDC_ISSUER');
  const given = Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Record<
    (typeof NAMES)[number],
    string | null
  >;
  if (issuer === null) {
    const useless = NAMES.find((name) => given[name] !== null);
    if (useless === undefined) return null;
    throw new ConfigError(`${useless} is set, and OIDC_ISSUER is not.`);
  }
  const required = (name: (typeof NAMES)[number]): string => {
    const text = given[name];
    if (text === null) throw new ConfigError(`OIDC_ISSUER is set, and ${name} is not.`);
    return text;
  };
  const isTrue = (name: 'OIDC_TRUST_EMAILS' | 'OIDC_ONLY'): boolean => {
    const text = given[name] ?? 'false';
    if (text === 'true' || text === 'false') return text === 'true';
    throw new ConfigError(`${name} must be true or false, but is "${text}".`);
  };
  const { hostname } = readIssuer(issuer);
  return {
    issuer,
    client_id: required('OIDC_CLIENT_ID'),
    client_secret: given.OIDC_CLIENT_SECRET,
    name: given.OIDC_NAME ?? hostname,
    domains: readDomains(required('OIDC_DOMAINS')),
    trusts_emails: isTrue('OIDC_TRUST_EMAILS'),
    scopes: readScopes(given.OIDC_SCOPES),
    groups_claim: given.OIDC_GROUPS_CLAIM ?? 'groups',
    group_roles: readGroupRoles(given.OIDC_ROLES),
    only: isTrue('OIDC_ONLY'),
  };
}

function readIssuer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAddress = url !== null && ['https:', 'http:'].includes(url.protocol);
  if (isAddress && url.username === '' && url.search === '' && url.hash === '') return url;
  throw new ConfigError(
    'OIDC_ISSUER must be an address that starts with https:// or http://, without a name, a query or a #.',
  );
}

function readScopes(text: string | null): string {
  const scopes = (text ?? 'openid email profile').split(/\s+/);
  if (scopes.includes('openid')) return scopes.join(' ');
  throw new ConfigError('OIDC_SCOPES must be scopes with spaces between, and openid among them.');
}

function readDomains(text: string): string[] | null {
  if (text === '*') return null;
  const domains = text.split(',').map((part) => part.trim().toLowerCase());
  const wrong = domains.find((domain) => !DOMAIN.test(domain));
  if (wrong !== undefined) {
    throw new ConfigError(
      `OIDC_DOMAINS must be * or domains such as studio.example, but holds "${wrong}".`,
    );
  }
  return domains;
}

/** Reads `group=role@game_id` for each role, with semicolons between. A group may contain `=` and `@`. */
function readGroupRoles(text: string | null): GroupRole[] {
  const parts = (text ?? '').split(';').map((part) => part.trim());
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const [, group, role, game_id] = GROUP_ROLE.exec(part) ?? [];
      if (group === undefined) {
        throw new ConfigError(
          `OIDC_ROLES must be parts such as artists=viewer@<id of a game>, with ; between, but holds "${part}".`,
        );
      }
      return {
        group: group.trim(),
        role: role!.toLowerCase() as Role,
        game_id: game_id!.toLowerCase(),
      };
    });
}
