import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { forRowsOfEachGroup } from '../database/group-rows.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import { rowsAs, sql } from '../database/sql.ts';
import { nameOfPlayer, PLAYER_KEY } from './player-key.ts';
import type { PlayerKey, Tenant } from './player-key.ts';
import { createSequence } from '../queue/sequence.ts';

/** The times of calls of a player that the player's `last_seen_at` in the database does not show yet. */
interface Note {
  player: PlayerKey;
  /** The time of the oldest such call, in milliseconds since 1970. */
  noted_ms: number;
  /** The time of the newest such call, in milliseconds since 1970. */
  seen_ms: number;
}

interface Seen extends PlayerKey {
  seen_at: string;
}

const MAX_AGE_MS = 60_000;
/**
 * The maximum number of notes in memory. A note usually stays there for a minute, but if there are more notes
 * than this, the oldest are written earlier. A note takes about 250 bytes.
 */
const MAX_NOTES = 50_000;
const MAX_NEWEST = 1_000;
/**
 * The maximum number of players in one statement. A statement for ten thousand players would take 100 ms, and
 * other writers of these players would wait for it.
 */
const MAX_WRITTEN_AT_ONCE = 250;

/**
 * Collects the times at which players were last seen, and writes the time of each player at most once a
 * minute, because each write changes three indexes and adds 500 bytes to PostgreSQL's log. A crash loses at
 * most one minute of `last_seen_at`, but never a player: the first write of a player's data inserts the
 * player's row. This code only updates rows, so an erased player stays erased.
 */
export function createLastSeen(database: GroupedDatabase, clock: Clock) {
  /** The notes by player, the oldest first. */
  const notes = new Map<string, Note>();
  let leaving = new Map<string, Note>();
  const inOrder = createSequence();

  const write = (names: Iterable<string>) => {
    for (const name of names) {
      const note = notes.get(name);
      if (note !== undefined) leaving.set(name, note);
      notes.delete(name);
    }
    return inOrder(writeLeaving);
  };

  const writeLeaving = async () => {
    const rows = Array.from(leaving.values(), ({ player, seen_ms }) => ({
      ...player,
      seen_at: new Date(seen_ms).toISOString(),
    }));
    leaving = new Map();
    await forRowsOfEachGroup(database, rows, async (group, seen) => {
      for (let first = 0; first < seen.length; first += MAX_WRITTEN_AT_ONCE) {
        await writeSeen(group, seen.slice(first, first + MAX_WRITTEN_AT_ONCE));
      }
    });
  };

  const writeSeen = async (group: Database, rows: readonly Seen[]) => {
    await group.execute(sql`
      WITH locked AS MATERIALIZED (
        SELECT known.game_id, known.environment, known.player_id, seen_at
        FROM ${rowsAs('seen', rows, { ...PLAYER_KEY, seen_at: 'timestamptz' })}
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
    /** Records that the player was seen just now, without waiting for a write. */
    note({ game_id, environment, player_id }: PlayerKey) {
      const player = { game_id, environment, player_id };
      const name = nameOfPlayer(player);
      const now = clock().getTime();
      const known = notes.get(name);
      if (known === undefined) notes.set(name, { player, noted_ms: now, seen_ms: now });
      else known.seen_ms = now;
    },
    /** Writes the notes that are at least a minute old. A timer calls this. */
    writeDue() {
      const names: string[] = [];
      const latest_ms = clock().getTime() - MAX_AGE_MS;
      for (const [name, { noted_ms }] of notes) {
        if (noted_ms > latest_ms && notes.size - names.length <= MAX_NOTES) break;
        names.push(name);
      }
      return write(names);
    },
    /** Writes the note of a player whose `last_seen_at` is about to be shown. */
    writePlayer: (player: PlayerKey) => write([nameOfPlayer(player)]),
    /**
     * Writes the newest 1,000 notes of an environment before its players are listed by `last_seen_at`. The
     * list begins with the players of these notes.
     */
    writeNewest({ game_id, environment }: Tenant) {
      const of_tenant = [...notes].filter(
        ([, { player }]) => player.game_id === game_id && player.environment === environment,
      );
      const newest = of_tenant.toSorted(([, a], [, b]) => b.seen_ms - a.seen_ms);
      return write(newest.slice(0, MAX_NEWEST).map(([name]) => name));
    },
    /** Writes all notes. The shutdown calls this. */
    flush: () => write([...notes.keys()]),
  };
}

export type LastSeen = ReturnType<typeof createLastSeen>;
