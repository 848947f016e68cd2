import type { Shares } from '@overworld/contract/games/shares';
import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import type { DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import { createEnvironmentSettings } from '../../platform/definitions/environment-settings.ts';
import { getShares, pickShares, putShares } from './store.ts';

/** The shares of both environments as files. */
export const sharesKind = (keys: Pick<KeyDirectory, 'invalidateGameOnCommit'>): DefinitionKind =>
  createEnvironmentSettings({
    name: 'shares',
    complete: (definition) => ({ ...pickShares(definition) }),
    read: async (tx, tenant) => ({ ...(await getShares(tx, tenant)) }),
    write: (tx, tenant, settings) => putShares(tx, tenant, settings as Shares),
    announce: (tx, game_id) => keys.invalidateGameOnCommit(tx, game_id),
  });
