import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { AccountCaller } from '../../platform/auth/accounts.ts';
import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { chooseGroup } from '../../platform/database/group-directory.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { changeKeySettings } from '../../platform/game-change.ts';
import { lockGameForDeletion } from '../../platform/game-lock.ts';
import { limitReached } from '../../platform/limits/limits.ts';
import { rebuildPlayerNames } from '../../platform/players/player-names.ts';
import * as store from './store.ts';
import type { Game, GameChanges, NewGame } from './store.ts';

export interface GameServices {
  database: GroupedDatabase;
  keys: KeyDirectory;
}

/** @throws ApiError 403 when the account owns too many Free games. */
export async function createGame(
  { database }: GameServices,
  game: NewGame,
  owner: AccountCaller,
  actor: Actor,
): Promise<Game> {
  return database.transaction(async (tx) => {
    if (!owner.is_administrator) await refuseTooManyGames(tx, owner.account_id);
    const tenant_group = await chooseGroup(database, tx);
    const created = await store.insertGame(tx, { ...game, tenant_group }, owner);
    const { id: game_id, name } = created;
    const { time_zone, player_name_property } = game;
    const details = { time_zone, player_name_property };
    await insertAuditEntry(tx, { actor, game_id }, 'create_game', name, details);
    return created;
  });
}

/**
 * Changes a game. When this resolves, every server uses the changed game. Only a new
 * time zone takes effect later, when a background task has counted all days again.
 * @throws ApiError 400 when two members of the body set the mode of the same environment.
 */
export async function updateGame(
  database: Database,
  keys: KeyDirectory,
  game_id: string,
  { time_zone, ...changes }: GameChanges,
  account: AccountCaller,
  actor: Actor,
): Promise<Game> {
  const { event_validation, production_event_validation } = changes;
  if (event_validation !== undefined && production_event_validation !== undefined) {
    throw badRequest('event_validation must be left out beside production_event_validation');
  }
  return changeKeySettings(database, keys, { game_id, actor }, async (tx, record) => {
    await store.updateGame(tx, game_id, changes);
    if (time_zone !== undefined) await store.requestTimeZone(tx, game_id, time_zone);
    if (changes.player_name_property !== undefined) await rebuildPlayerNames(tx, game_id);
    const updated = await store.getGame(tx, account, game_id);
    await record('update_game', updated.name, { ...changes, time_zone });
    return updated;
  });
}

/**
 * Deletes the game with its members and keys. When this resolves, no server
 * accepts the keys any more. The eraser deletes the data of the game later.
 */
export async function deleteGame(
  { database, keys }: GameServices,
  game_id: string,
  actor: Actor,
): Promise<void> {
  const evictKeys = await database.transaction(async (tx) => {
    const name = await lockGameForDeletion(tx, game_id);
    if (name === null) throw notFound('Game not found');
    const evict = await keys.invalidateGameOnCommit(tx, game_id);
    await store.deleteGame(tx, game_id);
    await insertAuditEntry(tx, { actor, game_id }, 'delete_game', name);
    return evict;
  });
  evictKeys();
}

async function refuseTooManyGames(tx: Queryable, account_id: string): Promise<void> {
  const { used, limit } = await store.countFreeGames(tx, account_id);
  if (used < limit) return;
  throw limitReached('free_games', limit, used);
}
