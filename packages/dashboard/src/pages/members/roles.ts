import { ROLES } from '@overworld/contract/operation';
import type { Role } from '@overworld/contract/operation';

/** The roles that the reader may give: only an owner makes owners. */
export const grantableRoles = (can: (role: Role) => boolean): Role[] =>
  ROLES.filter((role) => role !== 'owner' || can('owner'));

/** The rights of each role, for the head of the page. */
export const ROLE_HELP =
  'Viewers can read everything. Developers can also edit definitions, config, players and development keys. Admins can also manage production keys and members, and delete data. Owners can also delete the game.';
