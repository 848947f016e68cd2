import type { PlayerSet } from '../players/player-set.ts';

const KEPT_MS = 10 * 60_000;
/** The maximum number of players in all cached sets together. Each player takes 16 to 32 bytes. */
const MAX_KEPT_PLAYERS = 2_000_000;
/** A smaller set counts as this number of players, because even an empty set takes 64 KB. */
const LEAST_COUNTED = 4_096;

/**
 * @param max_players The maximum number of players in all sets together.
 * When the sets exceed it, the oldest sets are dropped.
 */
export function createKeptSets(max_players = MAX_KEPT_PLAYERS) {
  const kept = new Map<string, { set: PlayerSet; expiry: NodeJS.Timeout }>();
  let players = 0;

  const drop = (question: string) => {
    const found = kept.get(question);
    if (found === undefined) return;
    clearTimeout(found.expiry);
    kept.delete(question);
    players -= countOf(found.set);
  };

  return {
    /** @param question A text that contains the game and all conditions of the segment. */
    get: (question: string): PlayerSet | undefined => kept.get(question)?.set,
    keep(question: string, set: PlayerSet) {
      drop(question);
      const count = countOf(set);
      if (count > max_players) return;
      for (const other of kept.keys()) {
        if (players + count <= max_players) break;
        drop(other);
      }
      const expiry = setTimeout(() => drop(question), KEPT_MS).unref();
      kept.set(question, { set, expiry });
      players += count;
    },
  };
}

/**
 * A cache of the players of segments. When a segment is read page by page,
 * only the first page searches for the segment's players.
 */
export type KeptSets = ReturnType<typeof createKeptSets>;

const countOf = ({ size }: PlayerSet): number => Math.max(size, LEAST_COUNTED);
