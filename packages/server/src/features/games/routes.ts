import * as contract from '@overworld/contract/games/games';
import { requireRole } from '../../platform/auth/accounts.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import { gameSettingsKind } from './definition-kind.ts';
import { createGame, deleteGame, updateGame } from './games.ts';
import * as store from './store.ts';
import { createTimeZones } from './time-zone.ts';
import { createGameEraser } from './game-eraser.ts';

export function mountGames(api: Api): void {
  const eraser = api.opened.add(createGameEraser(api.database));
  api.background.every(1_000, 'erasing deleted games', () => eraser.run());
  const readTimeZone = createTimeZones(api.database);
  api.definitions.add(gameSettingsKind(api.keys));

  implement(api, contract.listGames, async ({ caller, query }) => {
    const { page, ...rest } = await readPage(api.database, query, (from, range) =>
      store.listGames(from, caller, range),
    );
    return { games: page, ...rest };
  });

  implement(api, contract.createGame, async ({ caller, body, actor }) => {
    const { time_zone = 'UTC', ...rest } = body;
    const game = { ...rest, time_zone: await readTimeZone(time_zone) };
    return createGame(api, game, caller, actor);
  });

  implement(api, contract.getGame, ({ caller, params, database }) =>
    store.getGame(database, caller, params.game_id),
  );

  implement(api, contract.updateGame, async (call) => {
    const { caller, params, body, role, actor, database } = call;
    const { name, time_zone } = body;
    if (name !== undefined || time_zone !== undefined) requireRole(role, 'admin');
    const changes =
      time_zone === undefined ? body : { ...body, time_zone: await readTimeZone(time_zone) };
    return updateGame(database, api.keys, params.game_id, changes, caller, actor);
  });

  implement(api, contract.deleteGame, ({ params, actor }) =>
    deleteGame(api, params.game_id, actor),
  );
}
