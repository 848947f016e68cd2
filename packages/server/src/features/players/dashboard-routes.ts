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
import { findPlayers } from './search/find-elsewhere.ts';
import type { PlayerServices } from './player-services.ts';

/** Mounts the operations on players that the dashboard calls. */
export function mountDashboardRoutes(api: PlayerServices): void {
  const { lastSeen, history, sources, findBuyers } = api;

  implement(api, listPlayers, async ({ params, query, read }) => {
    const { environment, ...search } = query;
    const game = { game_id: params.game_id, environment };
    await lastSeen.writeNewest(game);
    const found = await read((database) => findPlayers(database, game, search, findBuyers));
    return new JsonText(writeJson(found));
  });

  implement(api, getPlayerNames, ({ params, query, read }) => {
    const game = { game_id: params.game_id, environment: query.environment };
    return read((database) => readPlayerNames(database, game));
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

  implement(api, deletePlayer, async ({ params, query, actor, database, change }) => {
    const player = { ...params, environment: query.environment };
    // Without this call, `last_seen_at` could be written after the erasure, to a new player with the same id.
    await lastSeen.writePlayer(player);
    const { game_id, environment, player_id } = player;
    await change(() =>
      erasePlayer(database, sources, player, (tx) =>
        insertAuditEntry(tx, { actor, game_id }, 'delete_player', player_id, { environment }),
      ),
    );
  });

  implement(api, exportPlayer, async ({ params, query, read }) => {
    const player = { ...params, environment: query.environment };
    await lastSeen.writePlayer(player);
    return new JsonPieces(writeExport(sources, player, read));
  });
}
