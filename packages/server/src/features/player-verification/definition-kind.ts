import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import type { DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import { createEnvironmentSettings } from '../../platform/definitions/environment-settings.ts';
import { DEFAULTS, getSettings, upsertVerification } from './store.ts';

/** The verification of both environments as files. */
export const verificationKind = (
  keys: Pick<KeyDirectory, 'invalidateGameOnCommit'>,
): DefinitionKind =>
  createEnvironmentSettings({
    name: 'player_verification',
    complete: (definition) => ({ ...DEFAULTS, ...definition }),
    read: async (tx, tenant) => ({ ...(await getSettings(tx, tenant)) }),
    write: upsertVerification,
    announce: (tx, game_id) => keys.invalidateGameOnCommit(tx, game_id),
  });
