import { createBatcher } from '../batch/batcher.ts';
import type { Database } from '../database/database.ts';
import type { ApiError } from '../errors.ts';
import { hasPlayer } from '../players/player-lock.ts';
import type { PlayerKey } from '../players/player-key.ts';
import { limitOf, limitReached } from './limits.ts';
import { COUNTED_RESOURCES, listCountedUses } from './use-store.ts';
import type { CountedResource } from './use-store.ts';

/** What a write may add at most. */
export type Additions = Partial<Record<CountedResource, number>>;

/** The 403 of each thing that a write may not add to. */
export type Reached = Partial<Record<CountedResource, ApiError>>;

export interface StorageGuard {
  /**
   * Runs a write of one player's data while there is room for all that it may add. Else `write` is
   * told which limits are reached; for `players` it only runs when the player is known.
   *
   * What the game has is known from memory, read anew every second, and before a limit counts as
   * reached; what this server has let in since is counted. So one server never passes a limit, and
   * several pass it by what the others let in within a second.
   * @throws ApiError 403 when the player is new and the game has as many as it may have.
   */
  run<T>(player: PlayerKey, adds: Additions, write: (reached: Reached) => Promise<T>): Promise<T>;
  /** Reads anew what games have that were written to; called by a timer. */
  refresh(): Promise<void>;
  /** Waits for reads under way. */
  close(): Promise<void>;
}

/** Games without a write for so many refreshes are forgotten. */
const MAX_IDLE_REFRESHES = 60;
const NOTHING: Reached = {};

/** What a game has of one thing, as far as this server knows. */
interface Use {
  limit: number;
  /** At the last read. */
  used: number;
  /** Let in by writes that are under way; a read may have seen it or not. */
  held: number;
  /** Let in by writes that have ended since the last read began. */
  added: number;
}

interface Game {
  id: string;
  uses: Record<CountedResource, Use>;
  idle_refreshes: number;
}

const newUse = (): Use => ({ limit: -1, used: 0, held: 0, added: 0 });

const hasRoom = ({ limit, used, held, added }: Use, amount: number): boolean =>
  used + held + added + amount <= limit;

export function createStorageGuard(database: Database): StorageGuard {
  const games = new Map<string, Game>();

  // A caller that comes during a read waits for the next one, which sees all that was written before.
  const reads = createBatcher<Game, void>({
    name: 'read_storage',
    max_batch_size: 1_000,
    max_queue_length: 20_000,
    async flush(asked) {
      await readUses(database, [...new Set(asked)]);
      return asked.map(() => undefined);
    },
  });

  const findGame = (id: string): Game => {
    let game = games.get(id);
    if (game === undefined) {
      const uses = { save_bytes: newUse(), players: newUse(), leaderboard_entries: newUse() };
      game = { id, uses, idle_refreshes: 0 };
      games.set(id, game);
    }
    game.idle_refreshes = 0;
    return game;
  };

  /** Holds room for what fits; says what does not. */
  const hold = ({ uses }: Game, adds: Additions): { held: Additions; reached: Reached } => {
    const held: Additions = {};
    let reached = NOTHING;
    for (const resource of COUNTED_RESOURCES) {
      const amount = adds[resource];
      if (amount === undefined) continue;
      const use = uses[resource];
      if (hasRoom(use, amount)) {
        use.held += amount;
        held[resource] = amount;
      } else {
        reached = { ...reached, [resource]: limitReached(resource, use.limit, use.used) };
      }
    }
    return { held, reached };
  };

  const settle = ({ uses }: Game, held: Additions) => {
    for (const resource of COUNTED_RESOURCES) {
      const amount = held[resource];
      if (amount === undefined) continue;
      uses[resource].held -= amount;
      uses[resource].added += amount;
    }
  };

  return {
    async run(player, adds, write) {
      const game = findGame(player.game_id);
      let { held, reached } = hold(game, adds);
      if (reached !== NOTHING) {
        settle(game, held);
        await reads.submit(game);
        ({ held, reached } = hold(game, adds));
      }
      try {
        if (reached.players && !(await hasPlayer(database, player))) throw reached.players;
        return await write(reached);
      } finally {
        settle(game, held);
      }
    },
    async refresh() {
      const written: Game[] = [];
      for (const game of games.values()) {
        if (game.idle_refreshes++ === 0) written.push(game);
        else if (game.idle_refreshes > MAX_IDLE_REFRESHES) games.delete(game.id);
      }
      await Promise.all(written.map((game) => reads.submit(game)));
    },
    close: () => reads.close(),
  };
}

async function readUses(database: Database, games: readonly Game[]): Promise<void> {
  const before = games.map(({ uses }) => COUNTED_RESOURCES.map((name) => uses[name].added));
  const found = await listCountedUses(
    database,
    games.map(({ id }) => id),
  );
  games.forEach(({ id, uses }, index) => {
    const read = found.get(id);
    COUNTED_RESOURCES.forEach((resource, place) => {
      const use = uses[resource];
      // Writes to a game that is gone are refused, or erased, elsewhere.
      use.limit = read === undefined ? Infinity : limitOf(read, resource);
      use.used = read?.uses[resource] ?? 0;
      use.added -= before[index]![place]!;
    });
  });
}
