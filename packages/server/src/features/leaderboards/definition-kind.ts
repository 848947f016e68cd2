import type { Clock } from '../../platform/clock.ts';
import type { Definition, DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import { askBoardEffects } from './effects/ask-board-effects.ts';
import { placeGifts } from './rewards/known-gifts.ts';
import type { RequireKnown } from './rewards/known-gifts.ts';
import { changeBoard, makeBoard, removeBoard, requireSoundSettings } from './seasons/boards.ts';
import { countBoards } from './seasons/season-store.ts';
import { readSettings } from './seasons/read-settings.ts';
import { listSettings } from './seasons/settings-store.ts';
import type { Settings } from './seasons/settings-store.ts';

/** Boards as files, with their rules. */
export function boardKind(clock: Clock, requireKnown: RequireKnown): DefinitionKind {
  const readKnown = async (tx: Queryable, game_id: string, definition: Definition) => {
    const settings = settingsOf(definition);
    await requireKnown(tx, game_id, placeGifts(settings.season_rewards));
    return settings;
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
    async requireRoom({ tx, game_id }, added) {
      await requireRoom(tx, game_id, 'leaderboards', await countBoards(tx, game_id), added);
    },
    async create({ tx, game_id }, board_name, definition) {
      const settings = await readKnown(tx, game_id, definition);
      await makeBoard(tx, { game_id, board_name }, settings);
    },
    async update({ tx, game_id }, board_name, definition) {
      const settings = await readKnown(tx, game_id, definition);
      await changeBoard(tx, { game_id, board_name }, settings, clock());
    },
    delete: ({ tx, game_id }, board_name) => removeBoard(tx, { game_id, board_name }),
    askEffects: askBoardEffects(settingsOf),
    // With a board, all its scores are gone.
    roleFor: ({ after }) => (after === null ? 'admin' : 'developer'),
    // Each locks the seasons of a board until the commit, which takes some 5 ms for each.
    locks_players: true,
    max_replaced: 100,
  };
}

const settingsOf = (definition: Definition): Settings =>
  readSettings(definition as unknown as Parameters<typeof readSettings>[0]);
