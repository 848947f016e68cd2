import type { Database } from '../database/database.ts';
import { rowsAs, sql } from '../database/sql.ts';
import { nameOfPlayer, PLAYER_KEY } from './player-key.ts';
import type { PlayerKey } from './player-key.ts';

export interface LastSeen {
  /** Notes that the player was here just now. The caller waits for nothing. */
  note(player: PlayerKey): void;
  /** Writes the notes. A timer calls this, reads that show `last_seen_at` do, and the shutdown does. */
  flush(): Promise<void>;
}

type Seen = PlayerKey & { seen_at: string };

/** A statement over ten thousand players takes 100 ms, and every other writer of them waits for it. */
const MAX_WRITTEN_AT_ONCE = 250;

/**
 * Gathers when players were last seen and writes it once a second for all of them. A crash loses at
 * most that second of `last_seen_at`, never a player: the first write of a player inserts the row.
 * This only updates rows, so that an erased player stays erased.
 */
export function createLastSeen(database: Database): LastSeen {
  let noted = new Map<string, Seen>();
  let flushing: Promise<void> = Promise.resolve();

  const write = async () => {
    const seen = [...noted.values()];
    noted = new Map();
    for (let first = 0; first < seen.length; first += MAX_WRITTEN_AT_ONCE) {
      await writeSeen(seen.slice(first, first + MAX_WRITTEN_AT_ONCE));
    }
  };

  const writeSeen = async (seen: readonly Seen[]) => {
    await database.execute(sql`
      WITH locked AS MATERIALIZED (
        SELECT known.game_id, known.environment, known.player_id, seen_at
        FROM ${rowsAs('seen', seen, { ...PLAYER_KEY, seen_at: 'timestamptz' })}
        JOIN players AS known USING (game_id, environment, player_id)
        WHERE last_seen_at < seen_at
        ORDER BY 1, 2, 3
        FOR NO KEY UPDATE OF known
      )
      UPDATE players SET last_seen_at = seen_at
      FROM locked
      WHERE players.game_id = locked.game_id AND players.environment = locked.environment
        AND players.player_id = locked.player_id`);
  };

  return {
    note({ game_id, environment, player_id }) {
      const player = { game_id, environment, player_id };
      noted.set(nameOfPlayer(player), { ...player, seen_at: new Date().toISOString() });
    },
    flush() {
      flushing = flushing.catch(() => undefined).then(write);
      return flushing;
    },
  };
}
