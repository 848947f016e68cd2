import { createGroupBatcher } from '../batch/batcher.ts';
import type { Database } from '../database/database.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import type { ApiError } from '../errors.ts';
import { hasCountedPlayer } from '../players/player-lock.ts';
import type { NamedPlayer, PlayerKey } from '../players/player-key.ts';
import type { ReservationPlace, Reservations } from '../workers/counts/reservations.ts';
import { limitOf, limitReached } from './limits.ts';
import { GUARDED_RESOURCES, listCountedUses } from './use-store.ts';
import type { GuardedResource } from './use-store.ts';
import { newPlayersRefused, shareOfNewPlayers } from '@overworld/contract/limits';
import { forRowsOfEachGroup } from '../database/group-rows.ts';
import { rowsAs, sql } from '../database/sql.ts';
import { usedUp } from '../errors.ts';
import { networkOf } from '../network/network-address.ts';
import { nameOfPlayer, PLAYER_KEY } from '../players/player-key.ts';
import type { WindowCounts } from '../workers/counts/window-counts.ts';
import { countAttempts } from './attempt-limit.ts';

/** The maximum amount of each resource that a write may add. */
type Additions = Partial<Record<GuardedResource, number>>;

/** For each resource that has no room for the write: the error 403. */
type Reached = Partial<Record<GuardedResource, ApiError>>;

/**
 * The number of refreshes without a write after which a game is removed from
 * memory. That is long before the sums of its reservations wrap around.
 */
const MAX_IDLE_REFRESHES = 10;
const NOTHING: Reached = {};

/** A game's use of one resource, as far as this worker knows. */
interface Use {
  limit: number;
  /** The use at the last read. */
  used: number;
  /**
   * The sum of the reservations that had ended before the last read. `used` contains these reservations. All
   * other reservations count in addition to `used`.
   */
  ended: number;
  readonly place: ReservationPlace;
}

interface Game {
  id: string;
  uses: Record<GuardedResource, Use>;
  idle_refreshes: number;
}

export function createStorageGuard(
  database: GroupedDatabase,
  reservations: Reservations,
  newPlayers: NewPlayers,
) {
  const games = new Map<string, Game>();

  // A call during a read waits for the next read, so the answer includes all writes from before the call.
  const reads = createGroupBatcher<Game, void>(database, {
    name: 'read_storage',
    max_batch_size: 1_000,
    max_queue_length: 20_000,
    gameOf: ({ id }) => id,
    async flush(group, asked) {
      await readUses(group, reservations, [...new Set(asked)]);
      return asked.map(() => undefined);
    },
  });

  const findGame = (id: string): Game => {
    let game = games.get(id);
    if (game === undefined) {
      const newUse = (resource: GuardedResource): Use => {
        const place = reservations.find(`${id} ${resource}`);
        return { limit: -1, used: 0, ended: reservations.ended(place), place };
      };
      const uses = {
        save_bytes: newUse('save_bytes'),
        players: newUse('players'),
        leaderboard_entries: newUse('leaderboard_entries'),
      };
      game = { id, uses, idle_refreshes: 0 };
      games.set(id, game);
    }
    game.idle_refreshes = 0;
    return game;
  };

  /** Reserves room for each resource that has enough, and collects the errors of the other resources. */
  const reserve = ({ uses }: Game, adds: Additions) => {
    const reserved: Additions = {};
    let reached = NOTHING;
    for (const resource of GUARDED_RESOURCES) {
      const amount = adds[resource];
      if (amount === undefined) continue;
      const { limit, used, ended, place } = uses[resource];
      if (reservations.reserve(place, amount, ended, limit - used)) reserved[resource] = amount;
      else reached = { ...reached, [resource]: limitReached(resource, limit, used) };
    }
    return { reserved, reached };
  };

  const complete = ({ uses }: Game, reserved: Additions) => {
    for (const resource of GUARDED_RESOURCES) {
      const amount = reserved[resource];
      if (amount !== undefined) reservations.end(uses[resource].place, amount);
    }
  };

  const findRefusal = ({ uses }: Game, { stranger_ip, ...player }: NamedPlayer) =>
    stranger_ip ? newPlayers.refusalOf(player, stranger_ip, uses.players.limit) : null;

  return {
    /**
     * Runs the function `write`, which writes one player's data. `write` gets an error for each limit that
     * the write would exceed. If the game has no room for another player, a write of a new player is refused
     * and not run. A player whom only events have named is new, too.
     *
     * The guard knows how much of each resource the game uses: the amount at the last read from the database,
     * plus everything that the workers of this server have admitted since then. The guard reads the amounts
     * again every second, and also before it reports a reached limit to a write. So one server never exceeds
     * a limit, and several servers exceed it at most by the writes of one second.
     * @throws ApiError 403 when the player is new and the game has reached its limit of players, 429 when the
     * player is new and the network of a stranger has used up its share of new players.
     */
    async run<T>(
      player: NamedPlayer,
      adds: Additions,
      write: (reached: Reached) => Promise<T>,
    ): Promise<T> {
      const game = findGame(player.game_id);
      let { reserved, reached } = reserve(game, adds);
      if (reached !== NOTHING) {
        complete(game, reserved);
        await reads.submit(game);
        ({ reserved, reached } = reserve(game, adds));
      }
      try {
        const refusal = reached.players ?? findRefusal(game, player);
        if (refusal && !(await hasCountedPlayer(database.ofGame(game.id), player))) throw refusal;
        const result = await write(reached);
        if (player.stranger_ip && adds.players) {
          newPlayers.note(player, player.stranger_ip, game.uses.players.limit);
        }
        return result;
      } finally {
        complete(game, reserved);
      }
    },
    /** Reads the uses of all games with writes since the last refresh. A timer calls this. */
    async refresh() {
      const written: Game[] = [];
      for (const game of games.values()) {
        if (game.idle_refreshes++ === 0) written.push(game);
        else if (game.idle_refreshes > MAX_IDLE_REFRESHES) games.delete(game.id);
      }
      await Promise.all(written.map((game) => reads.submit(game)));
    },
    /** Waits for reads under way. */
    close: () => reads.close(),
  };
}

export type StorageGuard = ReturnType<typeof createStorageGuard>;

async function readUses(
  database: Database,
  reservations: Reservations,
  games: readonly Game[],
): Promise<void> {
  const ended = games.map(({ uses }) =>
    GUARDED_RESOURCES.map((name) => reservations.ended(uses[name].place)),
  );
  const ids = games.map(({ id }) => id);
  const found = await listCountedUses(database, ids);
  games.forEach(({ id, uses }, index) => {
    const read = found.get(id);
    GUARDED_RESOURCES.forEach((resource, place) => {
      const use = uses[resource];
      // A deleted game has no limits here: other checks refuse its writes, or the deletion erases them.
      use.limit = read === undefined ? Infinity : limitOf(read, resource);
      use.used = read?.uses[resource] ?? 0;
      use.ended = ended[index]![place]!;
    });
  });
}

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

type NewPlayers = ReturnType<typeof createNewPlayers>;

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
