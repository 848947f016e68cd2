import type { Environment } from '@overworld/contract/common';
import { createGroupBatcher } from '../batch/batcher.ts';
import type { Queryable } from '../database/database.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import type { Notifications } from '../database/notifications.ts';
import { sql } from '../database/sql.ts';
import { createDefinitionCache } from '../definition-cache.ts';
import { isFollowed } from './merged-ids.ts';
import { isOfPlayer, keyArrays, nameOfPlayer } from './player-key.ts';
import type { PlayerKey } from './player-key.ts';

/** The channel on which nodes tell each other that a player is not claimed any more. */
const CHANNEL = 'overworld_claimed_players';

/** The facts about the id that a call names. */
interface NamedPlayer {
  /** True if the player, or the one into whom the id was merged, has an identity. */
  is_claimed: boolean;
  /** The player into whom the id was merged; null if there is none, or a new player has the id since. */
  into_player_id: string | null;
}

/**
 * Makes the look-up of claimed players. Only claimed players are cached. All other players are looked up at
 * each call, so a login immediately protects its player on every server. One statement looks up all waiting
 * players.
 */
export function createClaimedPlayers(database: GroupedDatabase, notifications: Notifications) {
  const lookUps = createGroupBatcher<PlayerKey, NamedPlayer>(database, {
    name: 'look_up_claimed_player',
    max_batch_size: 500,
    max_queue_length: 5_000,
    gameOf: ({ game_id }) => game_id,
    flush: findNamed,
  });
  const cache = createDefinitionCache<boolean>({
    channel: CHANNEL,
    notifications,
    max_entries: 20_000,
    keep: (is_claimed) => is_claimed,
    load: async (name) => (await lookUps.submit(readName(name))).is_claimed,
  });
  return {
    /**
     * Tells whether a player is claimed, or was merged into a claimed player. Returns a promise if the player
     * is not in memory.
     */
    has(player: PlayerKey): true | Promise<boolean> {
      const name = nameOfPlayer(player);
      return cache.peek(name) === true || cache.get(name);
    },
    /** Tells whether calls that name the id of `from` are about `player`, because of a merge. */
    isMergedInto: async (player: PlayerKey, from: PlayerKey): Promise<boolean> =>
      (await lookUps.submit(from)).into_player_id === player.player_id,
    /**
     * Call this in each transaction after which a player may not be claimed any more. It also forgets the
     * players who were merged into this player.
     */
    async forgetOnCommit(tx: Queryable, player: PlayerKey): Promise<void> {
      await cache.invalidateOnCommit(tx, nameOfPlayer(player));
      const merged = await tx.query<{ player_id: string }>(sql`
        SELECT from_player_id AS player_id FROM player_merges WHERE ${isOfPlayer(player)}`);
      for (const { player_id } of merged) {
        await cache.invalidateOnCommit(tx, nameOfPlayer({ ...player, player_id }));
      }
    },
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

function findNamed(database: Queryable, players: readonly PlayerKey[]): Promise<NamedPlayer[]> {
  return database.query<NamedPlayer>(sql`
    SELECT COALESCE(identity.is_claimed, false) AS is_claimed,
           CASE WHEN is_followed THEN merge.player_id END AS into_player_id
    FROM unnest(${keyArrays(players)}) WITH ORDINALITY
      AS asked (game_id, environment, player_id, number)
    LEFT JOIN LATERAL (
      SELECT player_id, ${isFollowed(sql`known`)} AS is_followed
      FROM player_merges AS known
      WHERE known.game_id = asked.game_id AND known.environment = asked.environment
        AND from_player_id = asked.player_id
      OFFSET 0
    ) AS merge ON true
    LEFT JOIN LATERAL (
      SELECT true AS is_claimed FROM player_identities AS had
      -- Only the players are looked up by an index: the primary key would read all players of the game.
      WHERE had.player_id = ANY(ARRAY[asked.player_id, merge.player_id])
        AND had.game_id IS NOT DISTINCT FROM asked.game_id
        AND had.environment IS NOT DISTINCT FROM asked.environment
      LIMIT 1
      OFFSET 0
    ) AS identity ON true
    ORDER BY number`);
}
