import type { InstallationSettings } from '@overworld/contract/administration/settings';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { PersonCaller } from '../../platform/auth/accounts.ts';
import {
  getSecondFactorRequirement,
  upsertSecondFactorRequirement,
} from '../../platform/auth/second-factor-policy.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { conflict } from '../../platform/errors.ts';

export const getInstallationSettings = async (
  database: Queryable,
): Promise<InstallationSettings> => ({
  require_second_factor: await getSecondFactorRequirement(database),
});

/** @throws ApiError 409 when the new settings would lock the caller out. */
export async function putInstallationSettings(
  database: Database,
  caller: PersonCaller,
  settings: InstallationSettings,
  actor: Actor,
): Promise<InstallationSettings> {
  const { require_second_factor } = settings;
  if (require_second_factor !== 'off' && !caller.has_second_factor) {
    throw conflict('Set up a second factor of your own first: you would lock yourself out');
  }
  await database.transaction(async (tx) => {
    const before = await getInstallationSettings(tx);
    await upsertSecondFactorRequirement(tx, require_second_factor);
    await insertAuditEntry(
      tx,
      { actor, game_id: null },
      'set_installation_settings',
      'installation',
      { from: before, to: settings },
    );
  });
  return settings;
}
