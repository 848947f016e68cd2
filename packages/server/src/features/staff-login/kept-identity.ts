import { hash } from 'node:crypto';
import type { StaffLoginSettings } from '../../platform/staff-login-settings.ts';
import type { Identity } from './claims.ts';

/** The part of an identity that a login still needs after the provider has proved the identity. */
export type ProvedIdentity = Pick<Identity, 'issuer' | 'subject' | 'groups'>;

/** The settings that an identity is read with. */
type Known = Pick<StaffLoginSettings, 'issuer' | 'group_roles'>;

/**
 * An identity in a few hundred bytes, whatever the names of its groups are. Requests carry it, and their length is
 * limited.
 */
export interface KeptIdentity {
  subject: string;
  /** A bit for each group that the settings name, in their order, in base64url. */
  groups: string;
  /** The hash of the issuer and of the groups that the settings name. */
  settings: string;
}

const listGroups = ({ group_roles }: Known): string[] => [
  ...new Set(group_roles.map(({ group }) => group)),
];

const hashOf = (settings: Known): string =>
  hash('sha256', JSON.stringify([settings.issuer, listGroups(settings)]), 'base64url');

export function keepIdentity({ subject, groups }: ProvedIdentity, settings: Known): KeptIdentity {
  const known = listGroups(settings);
  const bits = Buffer.alloc(Math.ceil(known.length / 8));
  known.forEach((group, place) => {
    if (groups.includes(group)) bits[place >> 3]! |= 1 << (place & 7);
  });
  return { subject, groups: bits.toString('base64url'), settings: hashOf(settings) };
}

/** @returns null when the settings are others now, so that the login must begin again. */
export function readKeptIdentity(
  { subject, groups, settings: hashed }: KeptIdentity,
  settings: Known,
): ProvedIdentity | null {
  if (hashed !== hashOf(settings)) return null;
  const bits = Buffer.from(groups, 'base64url');
  const isSet = (place: number) => ((bits[place >> 3]! >> (place & 7)) & 1) === 1;
  const { issuer } = settings;
  return { issuer, subject, groups: listGroups(settings).filter((_group, place) => isSet(place)) };
}
