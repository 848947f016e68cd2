import {
  deletePlayer,
  exportPlayer,
  getGamePlayer,
  listPlayers,
  updatePlayer,
} from '@overworld/contract/players/dashboard';
import { getPlayerNames, listPlayerNames } from '@overworld/contract/players/player-names';
import { insertAuditEntry } from '../../platform/audit.ts';
import { implement, JsonPieces, JsonText } from '../../platform/http/implement.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { readUpdate } from './player-body.ts';
import { changePlayer, erasePlayer } from './changes/player-changes.ts';
import { getDetail } from './player-detail.ts';
import { writeExport } from './player-export.ts';
import { findPlayerNames, readPlayerNames } from './search/names.ts';
import { searchPlayers } from './search/player-search.ts';
import type { PlayerServices } from './player-services.ts';

/** Mounts the operations on players that the dashboard calls. */
export function mountDashboardRoutes(api: PlayerServices): void {
  const { reads, lastSeen, history, sources } = api;

  implement(api, listPlayers, async ({ params, query, owner, signal, database }) => {
    const { environment, ...search } = query;
    const game = { game_id: params.game_id, environment };
    await lastSeen.writeNewest(game);
    const found = await reads.run(owner, () => searchPlayers(database, game, search), signal);
    return new JsonText(writeJson(found));
  });

  implement(api, getPlayerNames, ({ params, query, owner, signal, database }) => {
    const game = { game_id: params.game_id, environment: query.environment };
    return reads.run(owner, () => readPlayerNames(database, game), signal);
  });

  implement(api, listPlayerNames, async ({ params, query, body, database }) => {
    const game = { game_id: params.game_id, environment: query.environment };
    return { players: await findPlayerNames(database, game, body.player_ids) };
  });

  implement(api, getGamePlayer, async ({ params, query, database }) => {
    const player = { ...params, environment: query.environment };
    await history.waitForInbox(player);
    await lastSeen.writePlayer(player);
    return new JsonText(writeJson(await getDetail(database, history, player)));
  });

  implement(
    api,
    updatePlayer,
    async ({ params, query, body, actor, database }) => {
      const player = { ...params, environment: query.environment };
      return new JsonText(writeJson(await changePlayer(database, player, body, actor)));
    },
    readUpdate,
  );

  implement(api, deletePlayer, async (call) => {
    const { params, query, actor, owner, signal, database } = call;
    const player = { ...params, environment: query.environment };
    // Without this call, `last_seen_at` could be written after the erasure, to a new player with the same id.
    await lastSeen.writePlayer(player);
    const { game_id, environment, player_id } = player;
    const erase = () =>
      erasePlayer(database, sources, player, (tx) =>
        insertAuditEntry(tx, { actor, game_id }, 'delete_player', player_id, { environment }),
      );
    await reads.run(owner, erase, signal);
  });

  implement(api, exportPlayer, async ({ params, query, owner, signal, database }) => {
    const player = { ...params, environment: query.environment };
    await lastSeen.writePlayer(player);
    return new JsonPieces(
      writeExport(database, sources, player, (work) => reads.run(owner, work, signal)),
    );
  });
}
