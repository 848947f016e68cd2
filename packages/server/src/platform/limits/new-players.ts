import { newPlayersRefused, shareOfNewPlayers } from '@overworld/contract/limits';
import type { Database } from '../database/database.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import { forRowsOfEachGroup } from '../database/group-rows.ts';
import { rowsAs, sql } from '../database/sql.ts';
import { usedUp } from '../errors.ts';
import type { ApiError } from '../errors.ts';
import { networkOf } from '../network/network-address.ts';
import { nameOfPlayer, PLAYER_KEY } from '../players/player-key.ts';
import type { PlayerKey } from '../players/player-key.ts';
import type { WindowCounts } from '../workers/counts/window-counts.ts';
import { countAttempts } from './attempt-limit.ts';

/** A call of a stranger that has written a player's data. */
interface Call extends PlayerKey {
  ip: string;
  ended_ms: number;
  /** The most new players that a network may make in an hour. */
  share: number;
}

const WINDOW_MINUTES = 60;

/**
 * The maximum number of players whom this server remembers as known. A look-up is not repeated for them.
 */
const MAX_KNOWN = 50_000;

/**
 * The longest time from the statement that counts a player to the note of its call. A player who was counted
 * earlier was known before the call.
 */
const MAX_WRITE_MS = 2_000;
/** Within this time, several workers may find the same new player. */
const FOUND_WINDOW_MS = 60_000;

/**
 * Bounds the new players of a game that one network makes by calls of strangers. The calls of a second are
 * looked up together after they were answered, so no call waits for this. A network can therefore exceed its
 * share by the players that it makes in about a second. All servers count together.
 * @param windows Counts that all workers of this server share.
 */
export function createNewPlayers(database: GroupedDatabase, windows: WindowCounts) {
  /** The calls that were not looked up yet, by player. */
  let calls = new Map<string, Call>();
  let known = new Set<string>();
  /** The networks that have used up a share, by game, and the time until then. */
  const refused_until_ms = new Map<string, number>();

  const remember = (name: string) => {
    if (known.size >= MAX_KNOWN) known = new Set();
    known.add(name);
  };

  return {
    /** Notes a call of a stranger that has written a player's data in a game with this limit of players. */
    note({ game_id, environment, player_id }: PlayerKey, ip: string, limit: number) {
      const player = { game_id, environment, player_id };
      const name = nameOfPlayer(player);
      if (known.has(name) || calls.has(name)) return;
      const share = shareOfNewPlayers(limit);
      calls.set(name, { ...player, ip, share, ended_ms: performance.now() });
    },
    /** Counts the new players among the noted calls. A timer calls this. */
    async count() {
      if (calls.size === 0) return;
      const noted = calls;
      calls = new Map();
      const networks = new Map<string, { game_id: string; amount: number; share: number }>();
      await forRowsOfEachGroup(database, noted.values(), async (group, of_group) => {
        for (const player of await findNew(group, of_group)) {
          const player_name = nameOfPlayer(player);
          if (windows.add(`new ${player_name}`, 1, FOUND_WINDOW_MS).count > 1) continue;
          const { game_id, ip, share } = noted.get(player_name)!;
          const name = nameOfNetwork(game_id, ip);
          const amount = (networks.get(name)?.amount ?? 0) + 1;
          networks.set(name, { game_id, amount, share });
        }
      });
      for (const name of noted.keys()) remember(name);
      const counts = Array.from(networks, ([address, { amount }]) => ({ address, amount }));
      for (const count of await countAttempts(database, 'new_player', WINDOW_MINUTES, counts)) {
        const { address, attempts, seconds_left } = count;
        if (attempts < networks.get(address)!.share) continue;
        refused_until_ms.set(address, performance.now() + seconds_left * 1_000);
      }
    },
    /**
     * Finds the error 429 for a new player that a stranger's call would make. Returns null if the network may
     * make more new players, or the player is known.
     */
    refusalOf(player: PlayerKey, ip: string, limit: number): ApiError | null {
      if (refused_until_ms.size === 0) return null;
      const name = nameOfNetwork(player.game_id, ip);
      const until_ms = refused_until_ms.get(name);
      if (until_ms === undefined || known.has(nameOfPlayer(player))) return null;
      const left_s = Math.ceil((until_ms - performance.now()) / 1_000);
      if (left_s > 0) return shareUsedUp(shareOfNewPlayers(limit), left_s);
      refused_until_ms.delete(name);
      return null;
    },
  };
}

export type NewPlayers = ReturnType<typeof createNewPlayers>;

const nameOfNetwork = (game_id: string, ip: string): string => `${game_id} ${networkOf(ip)}`;

/** Finds the players who began to count during their call. */
function findNew(group: Database, calls: readonly Call[]): Promise<PlayerKey[]> {
  const now = performance.now();
  const asked = calls.map((call) => ({
    ...call,
    since_ms: Math.ceil(now - call.ended_ms) + MAX_WRITE_MS,
  }));
  return group.query<PlayerKey>(sql`
    SELECT game_id, environment, player_id
    FROM ${rowsAs('asked', asked, { ...PLAYER_KEY, since_ms: 'integer' })}
    CROSS JOIN LATERAL (
      SELECT FROM players
      WHERE players.game_id = asked.game_id AND players.environment = asked.environment
        AND players.player_id = asked.player_id
        AND counted_at > clock_timestamp() - asked.since_ms * interval '1 millisecond'
      OFFSET 0
    ) AS new`);
}

const shareUsedUp = (share: number, left_s: number): ApiError =>
  usedUp(newPlayersRefused(share, left_s), share, left_s);
