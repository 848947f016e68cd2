import { banLeaderboardPlayer, listLeaderboardBans } from '@overworld/contract/leaderboards/bans';
import {
  decideScores as decideScoresOperation,
  listLeaderboardDecisions,
  undoLeaderboardDecision,
} from '@overworld/contract/leaderboards/decisions';
import { listScoreSubmits } from '@overworld/contract/leaderboards/ledger';
import {
  listPlayerWaitingScores,
  listWaitingScores,
} from '@overworld/contract/leaderboards/quarantine';
import type { Api } from '../../../platform/http/api.ts';
import { implement, JsonText, Reply } from '../../../platform/http/implement.ts';
import { readList } from '../../../platform/http/page.ts';
import { writeJson } from '../../../platform/http/write-json.ts';
import type { Leaderboards } from '../leaderboards.ts';
import { boardNotFound } from '../seasons/seasons.ts';
import { findBoard } from '../seasons/settings-store.ts';
import type { BoardKey } from '../store.ts';
import { banPlayer } from './bans.ts';
import { listBans, listDecisions } from './decision-store.ts';
import { decideScores } from './decisions.ts';
import { listSubmits, listWaiting, listWaitingOf } from './held-scores.ts';
import type { WaitingRow } from './held-scores.ts';
import { undoDecision } from './undo-decision.ts';

export function mountQuarantine(api: Api, { database, clock }: Leaderboards): void {
  const seasonOf = async (board: BoardKey, season: number | undefined) => {
    const found = await findBoard(database.ofGame(board.game_id), board, clock());
    if (found === null) throw boardNotFound();
    return { ...board, season: season ?? found.season };
  };

  implement(api, listWaitingScores, async ({ params, query }) => {
    const season = await seasonOf({ ...params, environment: query.environment }, query.season);
    const group = database.ofGame(params.game_id);
    const key = { seq: 'bigint' } as const;
    const { page, ...rest } = await readList(group, query, key, (from, after, count) =>
      listWaiting(from, season, after?.seq ?? null, count),
    );
    return new JsonText(writeJson({ scores: page.map(toShown), ...rest }));
  });

  implement(api, listPlayerWaitingScores, async ({ params, query, owner, signal }) => {
    const group = database.ofGame(params.game_id);
    const read = () => listWaitingOf(group, { ...params, ...query });
    const rows = await api.reads.run(owner, read, signal);
    return new JsonText(writeJson({ scores: rows.map(toShown), next_cursor: null }));
  });

  implement(api, decideScoresOperation, async ({ params, query, body, actor }) => {
    const { decision, player_ids = null, season } = body;
    const key = await seasonOf({ ...params, ...query }, season);
    const chosen = player_ids && [...new Set(player_ids)];
    const group = database.ofGame(params.game_id);
    const outcome = await decideScores(group, key, decision, chosen, actor);
    return new Reply(outcome.decision_id === null ? 200 : 201, outcome);
  });

  implement(api, listLeaderboardDecisions, async ({ params, query, owner, signal }) => {
    const { environment } = query;
    const { season: _season, ...board } = await seasonOf({ ...params, environment }, undefined);
    const group = database.ofGame(params.game_id);
    const key = { position: 'time', decision_id: 'uuid' } as const;
    const read = () =>
      readList(group, query, key, (from, before, count) =>
        listDecisions(from, board, before, count),
      );
    const { page, ...rest } = await api.reads.run(owner, read, signal);
    return { decisions: page.map(({ position: _position, ...decision }) => decision), ...rest };
  });

  implement(api, undoLeaderboardDecision, ({ params: { game_id, decision_id }, actor }) =>
    undoDecision(database.ofGame(game_id), game_id, decision_id, actor),
  );

  implement(api, banLeaderboardPlayer, async ({ params, query, body, actor }) => {
    const { board_name = null, reason = null } = body;
    const group = database.ofGame(params.game_id);
    return banPlayer(group, { ...params, ...query }, { board_name, reason }, actor);
  });

  implement(api, listLeaderboardBans, async ({ params: { game_id, player_id }, query }) => ({
    bans: await listBans(database.ofGame(game_id), game_id, query.environment, player_id),
  }));

  implement(api, listScoreSubmits, async ({ params, query }) => {
    const { board_name, ...player } = params;
    const of_player = { ...player, environment: query.environment };
    const group = database.ofGame(params.game_id);
    const key = { version: 'bigint', place: 'integer' } as const;
    const { page, ...rest } = await readList(group, query, key, (from, before, count) =>
      listSubmits(from, of_player, board_name, before, count),
    );
    const submits = page.map(({ version: _version, place: _place, ...submit }) => submit);
    return { submits, ...rest };
  });
}

/** Converts a waiting score to the form in which `writeJson` writes it to an answer. */
const toShown = <Row extends WaitingRow>({ seq: _seq, metadata, ...score }: Row) => ({
  ...score,
  metadata: metadata === null ? null : new JsonText(metadata),
});
