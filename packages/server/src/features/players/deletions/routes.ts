import * as contract from '@overworld/contract/players/player-deletions';
import type { Database } from '../../../platform/database/database.ts';
import { conflict, notFound } from '../../../platform/errors.ts';
import { changeGame } from '../../../platform/game-change.ts';
import { implement } from '../../../platform/http/implement.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { PlayerServices } from '../player-services.ts';
import { readTime } from '../search/player-conditions.ts';
import type { PlayerConditions } from '../search/player-conditions.ts';
import { within } from '../search/search-time.ts';
import { countMatching, endDeletion, findDeletion, insertDeletion } from './deletion-store.ts';

/** Mounts the operations that delete many players. `player-eraser.ts` deletes the players. */
export function mountDeletions(api: PlayerServices): void {
  implement(api, contract.countPlayers, async ({ params, query, read }) => {
    const { environment, ...conditions } = untilNow(query);
    const game = { game_id: params.game_id, environment };
    const player_count = await read((group) => count(group, game, conditions));
    return { player_count, first_seen_before: conditions.first_seen_before };
  });

  implement(api, contract.deletePlayers, async (call) => {
    const { params, query, body, actor, database, read } = call;
    const { environment, ...conditions } = untilNow(query);
    const game = { game_id: params.game_id, environment };
    const player_count = await read((group) => count(group, game, conditions));
    if (player_count > body.player_count) {
      const [found, confirmed] = [player_count, body.player_count].map(inWords);
      throw conflict(`${found} players meet the conditions, more than ${confirmed}`, {
        player_count,
      });
    }
    return changeGame(database, { game_id: game.game_id, actor }, async (tx, record) => {
      const deletion = await insertDeletion(tx, game, conditions, player_count);
      if (deletion === null) throw deletionRuns();
      await record('delete_players', environment, { environment, ...conditions, player_count });
      return deletion;
    });
  });

  implement(api, contract.getPlayerDeletion, async ({ params, query, database }) => {
    const game = { game_id: params.game_id, environment: query.environment };
    return { deletion: await findDeletion(database, game) };
  });

  implement(api, contract.stopPlayerDeletion, async ({ params, query, actor, database }) => {
    const { environment } = query;
    const game = { game_id: params.game_id, environment };
    await changeGame(database, { game_id: game.game_id, actor }, async (tx, record) => {
      const deleted_count = await endDeletion(tx, game);
      if (deleted_count === null) throw notFound('No deletion of players runs');
      await record('stop_player_deletion', environment, { environment, deleted_count });
    });
  });
}

const deletionRuns = () => conflict('A deletion of players runs: stop it, or wait for its end');

/** Leaves players out who are first named after this moment. */
const untilNow = <Query extends PlayerConditions>({ first_seen_before, ...query }: Query) => ({
  ...query,
  first_seen_before:
    first_seen_before === undefined
      ? new Date().toISOString()
      : readTime('first_seen_before', first_seen_before),
});

const count = (group: Database, game: Tenant, conditions: PlayerConditions): Promise<number> =>
  within(group, (tx) => countMatching(tx, game, conditions));

const inWords = (number: number): string => number.toLocaleString('en');
