import type { Database, Queryable } from '../../platform/database/database.ts';
import { nameOf } from './player-name.ts';
import type { PlayerKey } from '../../platform/player-presence.ts';

/**
 * Writes requests of which several may be about one player, as if they came one after the other:
 * the first of each player in one statement, then the second of each, in one transaction. Nearly
 * always there is one round. Later rounds lock only players that the first has locked, so that
 * batches that each write in the order of their keys cannot deadlock.
 */
export async function writeInRounds<Request extends { player: PlayerKey }, Result>(
  database: Database,
  requests: readonly Request[],
  write: (queryable: Queryable, round: readonly Request[]) => Promise<Result[]>,
): Promise<Result[]> {
  const rounds = splitIntoRounds(requests);
  if (rounds.length === 1) return write(database, requests);
  const results: Result[] = [];
  await database.transaction(async (tx) => {
    for (const places of rounds) {
      const written = await write(
        tx,
        places.map((place) => requests[place]!),
      );
      places.forEach((place, index) => (results[place] = written[index]!));
    }
  });
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
