import type { Clock } from '../../platform/clock.ts';
import type { Definition, DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import { removeBoard, requireSoundSettings, storeBoard } from './seasons/boards.ts';
import { readSettings } from './seasons/read-settings.ts';
import { listSettings } from './seasons/settings-store.ts';
import type { Settings } from './seasons/settings-store.ts';

/** Boards as files, with their rules. */
export function boardKind(clock: Clock): DefinitionKind {
  const store: DefinitionKind['create'] = async ({ tx, game_id }, board_name, definition) => {
    await storeBoard(tx, { game_id, board_name }, settingsOf(definition), clock());
  };
  return {
    name: 'leaderboard',
    async list(tx, game_id) {
      const boards = await listSettings(tx, game_id);
      return new Map(
        boards.map(({ board_name, created_at: _, updated_at: __, ...settings }) => [
          board_name,
          { ...settings },
        ]),
      );
    },
    complete(definition) {
      const settings = settingsOf(definition);
      requireSoundSettings(settings);
      return { ...settings };
    },
    create: store,
    update: store,
    delete: ({ tx, game_id }, board_name) => removeBoard(tx, { game_id, board_name }),
    delete_role: 'admin',
  };
}

const settingsOf = (definition: Definition): Settings =>
  readSettings(definition as unknown as Parameters<typeof readSettings>[0]);
