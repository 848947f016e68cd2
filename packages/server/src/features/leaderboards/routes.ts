import {
  getLeaderboardAround,
  listLeaderboardPlayers,
} from '@overworld/contract/leaderboards/neighbours';
import { getLeaderboard, submitScore } from '@overworld/contract/leaderboards/leaderboards';
import type { Api } from '../../platform/http/api.ts';
import { implement, JsonText, Reply } from '../../platform/http/implement.ts';
import type { StorageGuard } from '../../platform/limits/storage-guard.ts';
import type { LastSeen } from '../../platform/players/last-seen.ts';
import { mountDashboardRoutes } from './dashboard-routes.ts';
import { writeSubmitted } from './entries/entry-json.ts';
import type { Leaderboards } from './leaderboards.ts';
import { readSubmit } from './submits/score-request.ts';

/** The most that a submit can add. */
const ONE_ENTRY = { players: 1, leaderboard_entries: 1 };

export function mountLeaderboards(
  api: Api,
  leaderboards: Leaderboards,
  lastSeen: LastSeen,
  storage: StorageGuard,
): void {
  implement(api, submitScore, async (call) => {
    const { game_id, environment } = call.caller;
    const { board_name, player_id: named, ...sent } = readSubmit(call.body);
    const board = { game_id, environment, board_name };
    const player = await api.guard.ownPlayer(call, named);
    const submitted = await storage.run(player, ONE_ENTRY, (reached) =>
      leaderboards.scores.submit({
        board,
        player_id: player.player_id,
        ...sent,
        limit_reached: reached.leaderboard_entries ?? null,
      }),
    );
    lastSeen.note(player);
    return new Reply<never>(
      submitted.is_new ? 201 : 200,
      new JsonText(writeSubmitted(board_name, submitted)),
    );
  });

  implement(api, getLeaderboard, async ({ caller, params, query }) => {
    const { game_id, environment } = caller;
    const board = { game_id, environment, board_name: params.board_name };
    const { season = null, player_id = null, limit, offset } = query;
    return new JsonText(await leaderboards.pages.read({ board, season, player_id, limit, offset }));
  });

  implement(api, getLeaderboardAround, async ({ caller, params, query }) => {
    const { game_id, environment } = caller;
    const { board_name, player_id } = params;
    const { season = null, above, below } = query;
    const board = { game_id, environment, board_name };
    return new JsonText(
      await leaderboards.pages.read({ board, season, around_player_id: player_id, above, below }),
    );
  });

  implement(api, listLeaderboardPlayers, async ({ caller, params, body }) => {
    const { game_id, environment } = caller;
    const board = { game_id, environment, ...params };
    const player_ids = [...new Set(body.player_ids)];
    return new JsonText(
      await leaderboards.pages.read({ board, season: body.season ?? null, player_ids }),
    );
  });

  mountDashboardRoutes(api, leaderboards);
}
