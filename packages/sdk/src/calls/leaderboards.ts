import type { LeaderboardPage, LeaderboardPlayers, SubmittedScore } from '../answers.ts';
import type { KeptCall, KeptCalls } from './kept-calls.ts';
import type { Player } from './player.ts';
import type { Transport } from '../http/transport.ts';
import { makeId } from '../http/platform.ts';
import { copyOf } from '../stores/kept-store.ts';

/** Leaderboards: each player has one entry on a board, the best score unless its settings say otherwise. */
export interface Leaderboards {
  /**
   * Submits a score of the player. A better score replaces the entry, with `playerName` and `metadata` (8 KB
   * at most) if they are given. Any other score changes nothing. On a board that keeps the latest score or the
   * sum, each call counts once. On a board with a tie-break, `tieValue` decides among equal scores. Without a
   * network, throws an error with `isKept`, and sends the score later.
   * @returns the stored entry with its exact rank.
   * @example
   * const { rank, updated } = await overworld.leaderboards.submit('best-run', 4200, {
   *   playerName: 'Juno',
   * });
   */
  submit(
    boardName: string,
    score: number,
    options?: { playerName?: string; metadata?: object; tieValue?: number },
  ): Promise<SubmittedScore>;
  /**
   * Gets a page of a board: the first 50 entries, or `limit` entries (1 to 100) from `offset` on.
   * @example const { entries } = await overworld.leaderboards.page('best-run', { limit: 10 });
   */
  page(
    boardName: string,
    options?: { limit?: number; offset?: number; season?: number },
  ): Promise<LeaderboardPage>;
  /**
   * Gets the player's entry with up to `above` entries before it and up to `below` entries after it: 0 to
   * 50, by default five each. If the player has no entry, the list is empty.
   * @example
   * const { entries } = await overworld.leaderboards.around('best-run', { above: 2, below: 2 });
   */
  around(
    boardName: string,
    options?: { above?: number; below?: number; season?: number },
  ): Promise<LeaderboardPage>;
  /**
   * Gets the entries of 1 to 100 named players, such as friends, with their ranks among all entries.
   * @example const { players } = await overworld.leaderboards.players('best-run', friendIds);
   */
  players(
    boardName: string,
    playerIds: readonly string[],
    options?: { season?: number },
  ): Promise<LeaderboardPlayers>;
}

/** A score that is kept until it can be sent. Its `body` does not name the player. */
interface ScoreCall extends KeptCall {
  score: number;
  body: object;
  /** The `Idempotency-Key`. */
  key: string;
}

export const createLeaderboards = (
  transport: Transport,
  player: Player,
  kept: KeptCalls,
): Leaderboards => {
  kept.makers.scores = (call) => {
    const { player_id, body, key } = call as ScoreCall;
    const headers = { 'idempotency-key': key };
    const details = { body: { ...body, player_id }, headers };
    return transport.ask<SubmittedScore>('leaderboards', 'rank', details, player_id);
  };
  const pathOf = (boardName: string) => `leaderboards/${encodeURIComponent(boardName)}`;
  return {
    submit: async (
      board_name,
      score,
      { playerName: player_name, metadata, tieValue: tie_value } = {},
    ) => {
      const body = copyOf({ board_name, score, player_name, metadata, tie_value });
      const player_id = await player.get();
      const call: ScoreCall = {
        kind: 'scores',
        player_id,
        target: board_name,
        score,
        body,
        key: makeId(),
      };
      return kept.make<SubmittedScore>(call);
    },
    page: (boardName, { limit, offset, season } = {}) =>
      transport.ask(pathOf(boardName), 'entries', { query: { limit, offset, season } }),
    around: async (boardName, { above, below, season } = {}) => {
      const player_id = await player.get();
      const path = `${pathOf(boardName)}/around/${encodeURIComponent(player_id)}`;
      const query = { above, below, season };
      // With the token, players see their own score even while it waits for a decision.
      return transport.ask(path, 'entries', { query }, player_id);
    },
    players: (boardName, player_ids, { season } = {}) =>
      transport.ask(`${pathOf(boardName)}/players`, 'players', { body: { player_ids, season } }),
  };
};
