import { ApiError } from '../../../platform/errors.ts';
import type { StaffLoginSettings } from '../../../platform/staff-login-settings.ts';

/** @throws ApiError 403 when the installation takes only logins of its identity provider. */
export function refusePasswords(staff_login: StaffLoginSettings | null): void {
  if (staff_login?.only !== true) return;
  throw new ApiError(403, `This installation takes no passwords: log in with ${staff_login.name}`, {
    code: 'PASSWORDS_REFUSED',
  });
}
