import type { Environment } from '@overworld/contract/common';
import { createGroupBatcher } from '../batch/group-batcher.ts';
import type { Queryable } from '../database/database.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import type { Notifications } from '../database/notifications.ts';
import { sql } from '../database/sql.ts';
import { createDefinitionCache } from '../definition-cache.ts';
import { keyArrays, nameOfPlayer } from './player-key.ts';
import type { PlayerKey } from './player-key.ts';

/** The channel on which nodes tell each other that a player is not claimed any more. */
const CHANNEL = 'overworld_claimed_players';

/**
 * Makes the look-up of claimed players. Only claimed players are cached. All other players are looked up at
 * each call, so a login immediately protects its player on every server. One statement looks up all waiting
 * players.
 */
export function createClaimedPlayers(database: GroupedDatabase, notifications: Notifications) {
  const lookUps = createGroupBatcher<PlayerKey, boolean>(database, {
    name: 'look_up_claimed_player',
    max_batch_size: 500,
    max_queue_length: 5_000,
    gameOf: ({ game_id }) => game_id,
    flush: areClaimed,
  });
  const cache = createDefinitionCache<boolean>({
    channel: CHANNEL,
    notifications,
    max_entries: 20_000,
    keep: (is_claimed) => is_claimed,
    load: (name) => lookUps.submit(readName(name)),
  });
  return {
    /** Tells whether a player is claimed. Returns a promise if the player is not in memory. */
    has(player: PlayerKey): true | Promise<boolean> {
      const name = nameOfPlayer(player);
      return cache.peek(name) === true || cache.get(name);
    },
    /** Call this in the transaction that removes the last identity of a player. */
    forgetOnCommit: (tx: Queryable, player: PlayerKey) =>
      cache.invalidateOnCommit(tx, nameOfPlayer(player)),
    /** Waits for look-ups under way. */
    close: () => lookUps.close(),
  };
}

/** The players who have logged in at least once, and therefore have an identity. */
export type ClaimedPlayers = ReturnType<typeof createClaimedPlayers>;

/** Reads the key of a player from a text that `nameOfPlayer` has written. */
function readName(name: string): PlayerKey {
  const [game_id = '', environment = ''] = name.split(' ', 2);
  const player_id = name.slice(game_id.length + environment.length + 2);
  return { game_id, environment: environment as Environment, player_id };
}

async function areClaimed(database: Queryable, players: readonly PlayerKey[]): Promise<boolean[]> {
  const rows = await database.query<{ index: number }>(sql`
    SELECT number - 1 AS index
    FROM unnest(${keyArrays(players)}) WITH ORDINALITY
      AS asked (game_id, environment, player_id, number)
    CROSS JOIN LATERAL (
      SELECT FROM player_identities AS had
      -- Only the player is looked up by an index: the primary key would read all players of the game.
      WHERE had.player_id = asked.player_id
        AND had.game_id IS NOT DISTINCT FROM asked.game_id
        AND had.environment IS NOT DISTINCT FROM asked.environment
      LIMIT 1
      OFFSET 0
    ) AS identity`);
  const claimed = new Set(rows.map(({ index }) => index));
  return players.map((_player, index) => claimed.has(index));
}
