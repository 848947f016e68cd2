import { INVALID_ZONE } from '@overworld/contract/games/games';
import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import type { DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import { badRequest } from '../../platform/errors.ts';
import { rebuildPlayerNames } from '../../platform/players/player-names.ts';
import * as store from './store.ts';
import type { FileSettings } from './store.ts';
import { createTimeZones, isKnownToNode } from './time-zone.ts';

const DEFAULTS = {
  production_event_validation: 'off',
  development_event_validation: 'off',
  player_name_property: null,
};

/** The settings of a game as a file. Its name stays, because a copy of the game has a name of its own. */
export function gameSettingsKind(
  keys: Pick<KeyDirectory, 'invalidateGameOnCommit'>,
): DefinitionKind {
  const update: DefinitionKind['update'] = async ({ tx, game_id }, _key, definition) => {
    const { time_zone, ...settings } = definition as unknown as FileSettings;
    const before = await store.getFileSettings(tx, game_id);
    await store.updateGame(tx, game_id, settings);
    if (settings.player_name_property !== before.player_name_property) {
      await rebuildPlayerNames(tx, game_id);
    }
    if (time_zone === before.time_zone) return;
    // Another spelling would differ in each plan.
    const spelled = await createTimeZones(tx)(time_zone);
    if (spelled !== time_zone) throw badRequest(`time_zone must be spelled ${spelled}`);
    await store.requestTimeZone(tx, game_id, time_zone);
  };
  return {
    name: 'game_settings',
    async list(tx, game_id) {
      return new Map([['game', { ...(await store.getFileSettings(tx, game_id)) }]]);
    },
    complete({ time_zone, ...rest }) {
      if (!isKnownToNode(time_zone as string)) throw badRequest(INVALID_ZONE);
      return { time_zone, ...DEFAULTS, ...rest };
    },
    // Every game has them.
    requireRoom: () => Promise.resolve(),
    create: update,
    update,
    roleFor: ({ before, after }) =>
      before?.time_zone === after?.time_zone ? 'developer' : 'admin',
    announce: (tx, game_id) => keys.invalidateGameOnCommit(tx, game_id),
  };
}
