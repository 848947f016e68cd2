import * as contract from '@overworld/contract/games/games';
import { requireRole } from '../../platform/auth/accounts.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement, Reply } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import { createGame, deleteGame, updateGame } from './games.ts';
import type { GameServices } from './games.ts';
import * as store from './store.ts';

export function mountGames(api: Api, services: GameServices): void {
  const { database } = services;

  implement(api, contract.listGames, async ({ caller, query }) => {
    const { page, next_cursor } = await readPage(query, (range) =>
      store.listGames(database, caller, range),
    );
    return { games: page, next_cursor };
  });

  implement(api, contract.createGame, ({ caller, body, actor }) =>
    createGame(services, { time_zone: 'UTC', ...body }, caller, actor),
  );

  implement(api, contract.getGame, ({ caller, params }) =>
    store.getGame(database, caller, params.game_id),
  );

  implement(api, contract.updateGame, ({ caller, params, body, role, actor }) => {
    if (body.name !== undefined) requireRole(role, 'admin');
    return updateGame(services, params.game_id, body, caller, actor);
  });

  implement(api, contract.deleteGame, async ({ params, actor }) => {
    await deleteGame(services, params.game_id, actor);
    return new Reply(204);
  });
}
