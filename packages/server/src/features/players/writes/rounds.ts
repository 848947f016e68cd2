import { answerInRounds, groupRequests } from '../../../platform/batch/batcher.ts';
import type { BatchResults } from '../../../platform/batch/batcher.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { nameOfPlayer } from '../../../platform/players/player-key.ts';

/**
 * Writes requests as if they came one after the other, even if several of them are for the same player. Each
 * round is one statement: the first round writes the first request of each player, the second round writes
 * the second request, and so on. Each round commits by itself, so no player stays locked until the next
 * round. Nearly always one round is enough.
 * @returns the results in the order of the requests. If a later round fails, its requests and those of all
 * rounds after it have the error as their result.
 * @throws the error of the first round, if that round fails.
 */
export async function writeInRounds<Request extends { player: PlayerKey }, Result>(
  database: Queryable,
  requests: readonly Request[],
  write: (queryable: Queryable, round: readonly Request[]) => Promise<Result[]>,
): Promise<BatchResults<Result>> {
  const players = groupRequests(requests, ({ player }) => nameOfPlayer(player));
  return answerInRounds<(typeof players)[number], Result>(
    requests.length,
    players,
    async (open, results, round) => {
      const written = await write(
        database,
        open.map((player) => player.requests[round]!),
      );
      open.forEach(({ places }, index) => (results[places[round]!] = written[index]!));
      return open.filter(({ places }) => places.length > round + 1);
    },
  );
}
