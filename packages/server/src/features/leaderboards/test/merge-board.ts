import type { TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { makeBoardClient } from './board-client.ts';
import type { BoardClient } from './board-client.ts';

/** A client for boards whose players `p1`, `p2`… are merged. */
interface MergeBoard extends BoardClient {
  /** Submits a score of a player to the board `b`. */
  submitOf(player: number, score: number, node?: TestServer): Promise<TestAnswer>;
  merge(number: number, from: number, node?: TestServer): Promise<TestAnswer>;
}

export async function makeMergeBoard(first: TestServer): Promise<MergeBoard> {
  const client = await makeBoardClient(first);
  const key = await first.makeKey(client.game.game_id, 'production', 'server');
  return {
    ...client,
    submitOf: (player, score, node = first) =>
      client.submit({ board_name: 'b', player_id: `p${player}`, score }, node),
    merge: (number, from, node = first) =>
      node.request('POST', `/v1/players/p${number}/merge`, {
        key,
        body: { from_player_id: `p${from}` },
      }),
  };
}
