import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { nameOfPlayer } from './player-key.ts';
import type { PlayerKey } from './player-key.ts';

export interface LastSeen {
  /** Notes that the player has been here just now; costs the caller nothing that waits. */
  note(player: PlayerKey): void;
  /** Writes what was noted; called by a timer, before reads that show it, and at shutdown. */
  flush(): Promise<void>;
}

type Seen = PlayerKey & { seen_at: string };

/** Ten thousand in one statement take 100 ms, which everybody who writes one of them has to wait. */
const MAX_WRITTEN_AT_ONCE = 250;

/**
 * Gathers when players were last seen, and writes it once a second for all of them. A crash loses
 * at most that second of `last_seen_at`, never a player: the write that first names one inserts it,
 * and none is made here, so that one who was erased meanwhile stays so.
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
        FROM unnest(${seen.map((player) => player.game_id)}::uuid[],
                    ${seen.map((player) => player.environment)}::environment[],
                    ${seen.map((player) => player.player_id)}::text[],
                    ${seen.map((player) => player.seen_at)}::timestamptz[])
          AS seen (game_id, environment, player_id, seen_at)
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
