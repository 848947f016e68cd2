import { TOKEN_ROLES } from '@overworld/contract/operation';
import type { TokenRole } from '@overworld/contract/operation';

/** Tells whether a role has the rights of another one. */
export const roleIncludes = (role: TokenRole, required: TokenRole): boolean =>
  TOKEN_ROLES.indexOf(role) >= TOKEN_ROLES.indexOf(required);
