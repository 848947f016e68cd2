import type { LeaderboardNeighbours, LeaderboardPage, SubmittedScore } from '../answers.ts';
import type { KeptCall, KeptCalls } from './kept-calls.ts';
import type { Player } from './player.ts';
import type { Transport } from '../http/transport.ts';

/** Leaderboards: each player has one entry on a board, the best score. */
export interface Leaderboards {
  /**
   * Submits a score of the player. A better score replaces the entry, and `playerName` and `metadata`
   * (8 KB at most) if they are given. Any other score changes nothing. Without a network it throws an
   * error with `isKept`, and the score is sent later.
   * @returns the stored entry with its exact rank.
   * @example
   * const { rank, updated } = await overworld.leaderboards.submit('best-run', 4200, {
   *   playerName: 'Juno',
   * });
   */
  submit(
    boardName: string,
    score: number,
    options?: { playerName?: string; metadata?: object },
  ): Promise<SubmittedScore>;
  /**
   * A page of a board: the first 50 entries, or those of `limit` (1 to 100) and `offset`.
   * @example const { entries } = await overworld.leaderboards.page('best-run', { limit: 10 });
   */
  page(
    boardName: string,
    options?: { limit?: number; offset?: number; season?: number },
  ): Promise<LeaderboardPage>;
  /**
   * The player's entry and up to five to each side.
   * @example const { player, around } = await overworld.leaderboards.aroundMe('best-run');
   */
  aroundMe(boardName: string, options?: { season?: number }): Promise<LeaderboardNeighbours>;
}

/** A kept score; `body` lacks the player. */
interface ScoreCall extends KeptCall {
  body: object;
}

export const makeScore = (transport: Transport) => (call: KeptCall) => {
  const { player_id } = call;
  const body = { ...(call as ScoreCall).body, player_id };
  return transport.request<SubmittedScore>('POST', '/v1/leaderboards', player_id, { body });
};

export function createLeaderboards(
  transport: Transport,
  player: Player,
  kept: KeptCalls,
): Leaderboards {
  const read = <Body>(boardName: string, query: Record<string, string | number | undefined>) => {
    const path = `/v1/leaderboards/${encodeURIComponent(boardName)}`;
    return transport.request<Body>('GET', path, undefined, { query });
  };
  return {
    async submit(board_name, score, { playerName: player_name, metadata } = {}) {
      // The game may change the metadata before the call is sent.
      const given = JSON.stringify({ board_name, score, player_name, metadata });
      const player_id = await player.get();
      const body = JSON.parse(given) as object;
      const call: ScoreCall = { kind: 'scores', player_id, target: board_name, body };
      return kept.make<SubmittedScore>(call, {});
    },
    page: (boardName, { limit, offset, season } = {}) =>
      read<LeaderboardPage>(boardName, { limit, offset, season }),
    aroundMe: async (boardName, { season } = {}) =>
      read<LeaderboardNeighbours>(boardName, {
        limit: 1,
        player_id: await player.get(),
        season,
      }),
  };
}
