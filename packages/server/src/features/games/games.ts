import { LIMIT_REACHED } from '@overworld/contract/limits';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { AccountCaller } from '../../platform/auth/accounts.ts';
import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { lockGame } from '../../platform/game-lock.ts';
import {
  countFreeGames,
  deleteGame as deleteGameRow,
  getGame,
  insertGame,
  lockForDeletion,
  updateGame,
} from './store.ts';
import type { Game, GameChanges } from './store.ts';
import { readTimeZone } from './time-zone.ts';

/** Changes to games, audited. */
export interface Games {
  /** @throws ApiError 400 for an unknown time zone, 403 when the account owns too many Free games. */
  create(
    game: { name: string; time_zone: string },
    owner: AccountCaller,
    actor: Actor,
  ): Promise<Game>;
  update(
    game_id: string,
    changes: GameChanges,
    account: AccountCaller,
    actor: Actor,
  ): Promise<Game>;
  /**
   * Deletes the game, its members and keys at once, on every node; an eraser follows with the rest.
   */
  delete(game_id: string, actor: Actor): Promise<void>;
}

async function refuseTooManyGames(tx: Queryable, account_id: string): Promise<void> {
  const { used, limit } = await countFreeGames(tx, account_id);
  if (used < limit) return;
  throw new ApiError(
    403,
    `You have reached your limit of ${limit} games on the Free tier: delete one, or ask an administrator of this installation for more`,
    { code: LIMIT_REACHED, resource: 'free_games', limit, used },
  );
}

export function createGames(database: Database, keys: KeyDirectory): Games {
  return {
    async create({ name, time_zone: given }, owner, actor) {
      const time_zone = await readTimeZone(database, given);
      return database.transaction(async (tx) => {
        if (!owner.is_administrator) await refuseTooManyGames(tx, owner.account_id);
        const game = await insertGame(tx, { name, time_zone }, owner);
        await insertAuditEntry(tx, actor, {
          game_id: game.id,
          action: 'create_game',
          target: name,
          details: { time_zone },
        });
        return game;
      });
    },

    async update(game_id, { name, event_validation }, account, actor) {
      const { game, evictKeys } = await database.transaction(async (tx) => {
        await lockGame(tx, game_id);
        await updateGame(tx, game_id, { name, event_validation });
        const updated = await getGame(tx, account, game_id);
        await insertAuditEntry(tx, actor, {
          game_id,
          action: 'update_game',
          target: updated.name,
          details: { name, event_validation },
        });
        return { game: updated, evictKeys: await keys.invalidateGameOnCommit(tx, game_id) };
      });
      evictKeys();
      return game;
    },

    async delete(game_id, actor) {
      const evictKeys = await database.transaction(async (tx) => {
        const name = await lockForDeletion(tx, game_id);
        if (name === null) throw notFound('Game not found');
        const evict = await keys.invalidateGameOnCommit(tx, game_id);
        await deleteGameRow(tx, game_id);
        await insertAuditEntry(tx, actor, { game_id, action: 'delete_game', target: name });
        return evict;
      });
      evictKeys();
    },
  };
}
