import type { Queryable } from '../../../platform/database/database.ts';
import { nameOf } from '../player-name.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';

/**
 * Writes requests of which several may be about one player, as if they came one after the other:
 * the first of each player in one statement, then the second of each, each statement for itself, so
 * that no player stays locked while the next is on its way. Nearly always there is one round.
 * @returns results in the order of the requests; after a round that failed its error for all that is
 * left.
 * @throws what the first round does.
 */
export async function writeInRounds<Request extends { player: PlayerKey }, Result>(
  database: Queryable,
  requests: readonly Request[],
  write: (queryable: Queryable, round: readonly Request[]) => Promise<Result[]>,
): Promise<(Result | Error)[]> {
  const results: (Result | Error)[] = [];
  const rounds = splitIntoRounds(requests);
  for (const [index, places] of rounds.entries()) {
    try {
      const round = places.map((place) => requests[place]!);
      const written = await write(database, round);
      places.forEach((place, at) => (results[place] = written[at]!));
    } catch (error) {
      if (index === 0) throw error;
      for (const place of rounds.slice(index).flat()) results[place] = error as Error;
      break;
    }
  }
  return results;
}

/** Places of the requests by round: each player is in a round once. */
function splitIntoRounds(requests: readonly { player: PlayerKey }[]): number[][] {
  const rounds: number[][] = [];
  const counts = new Map<string, number>();
  requests.forEach(({ player }, place) => {
    const name = nameOf(player);
    const round = counts.get(name) ?? 0;
    counts.set(name, round + 1);
    (rounds[round] ??= []).push(place);
  });
  return rounds;
}
