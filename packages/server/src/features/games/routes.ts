import {
  createGame,
  deleteGame,
  getGame,
  listGames,
  updateGame,
} from '@overworld/contract/games/games';
import { requireRole } from '../../platform/auth/accounts.ts';
import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement, Reply } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import { createGames } from './games.ts';
import * as store from './store.ts';

export function mountGames(api: Api, services: { database: Database; keys: KeyDirectory }): void {
  const { database, keys } = services;
  const games = createGames(database, keys);

  implement(api, listGames, async ({ caller, query }) => {
    const { page, next_cursor } = await readPage(query, (range) =>
      store.listGames(database, caller, range),
    );
    return { games: page, next_cursor };
  });

  implement(api, createGame, ({ caller, body, actor }) =>
    games.create({ time_zone: 'UTC', ...body }, caller, actor),
  );

  implement(api, getGame, ({ caller, params }) => store.getGame(database, caller, params.game_id));

  implement(api, updateGame, ({ caller, params, body, role, actor }) => {
    if (body.name !== undefined) requireRole(role, 'admin');
    return games.update(params.game_id, body, caller, actor);
  });

  implement(api, deleteGame, async ({ params, actor }) => {
    await games.delete(params.game_id, actor);
    return new Reply(204);
  });
}
