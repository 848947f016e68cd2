import { createGroupBatcher } from '../batch/group-batcher.ts';
import type { Database } from '../database/database.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import type { ApiError } from '../errors.ts';
import { hasCountedPlayer } from '../players/player-lock.ts';
import type { NamedPlayer } from '../players/player-key.ts';
import type { ReservationPlace, Reservations } from '../workers/counts/reservations.ts';
import type { NewPlayers } from './new-players.ts';
import { limitOf, limitReached } from './limits.ts';
import { GUARDED_RESOURCES, listCountedUses } from './use-store.ts';
import type { GuardedResource } from './use-store.ts';

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
