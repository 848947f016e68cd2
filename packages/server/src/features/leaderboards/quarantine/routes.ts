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
import type { Database } from '../../../platform/database/database.ts';
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
import { listSubmits, listWaiting, listWaitingOf } from './waiting-scores.ts';
import type { WaitingRow } from './waiting-scores.ts';
import { undoDecision } from './undo-decision.ts';

export function mountQuarantine(api: Api, { clock }: Leaderboards): void {
  const seasonOf = async (database: Database, board: BoardKey, season?: number) => {
    const found = await findBoard(database, board, clock());
    if (found === null) throw boardNotFound();
    return { ...board, season: season ?? found.season };
  };

  implement(api, listWaitingScores, async ({ params, query, database }) => {
    const board = { ...params, environment: query.environment };
    const season = await seasonOf(database, board, query.season);
    const key = { seq: 'bigint' } as const;
    const { page, ...rest } = await readList(database, query, key, (from, after, count) =>
      listWaiting(from, season, after?.seq ?? null, count),
    );
    return new JsonText(writeJson({ scores: page.map(toShown), ...rest }));
  });

  implement(api, listPlayerWaitingScores, async ({ params, query, read }) => {
    const rows = await read((database) => listWaitingOf(database, { ...params, ...query }));
    return new JsonText(writeJson({ scores: rows.map(toShown), next_cursor: null }));
  });

  implement(api, decideScoresOperation, async ({ params, query, body, actor, database }) => {
    const { decision, player_ids = null, season } = body;
    const key = await seasonOf(database, { ...params, ...query }, season);
    const chosen = player_ids && [...new Set(player_ids)];
    const outcome = await decideScores(database, key, decision, chosen, actor);
    return new Reply(outcome.decision_id === null ? 200 : 201, outcome);
  });

  implement(api, listLeaderboardDecisions, async ({ params, query, database, read }) => {
    const { environment } = query;
    const { season: _season, ...board } = await seasonOf(database, { ...params, environment });
    const key = { position: 'time', decision_id: 'uuid' } as const;
    const { page, ...rest } = await read((group) =>
      readList(group, query, key, (from, before, count) =>
        listDecisions(from, board, before, count),
      ),
    );
    return { decisions: page.map(({ position: _position, ...decision }) => decision), ...rest };
  });

  implement(api, undoLeaderboardDecision, ({ params, actor, database }) =>
    undoDecision(database, params.game_id, params.decision_id, actor),
  );

  implement(api, banLeaderboardPlayer, async ({ params, query, body, actor, database }) => {
    const { board_name = null, reason = null } = body;
    return banPlayer(database, { ...params, ...query }, { board_name, reason }, actor);
  });

  implement(api, listLeaderboardBans, async ({ params, query, database }) => ({
    bans: await listBans(database, params.game_id, query.environment, params.player_id),
  }));

  implement(api, listScoreSubmits, async ({ params, query, database }) => {
    const { board_name, ...player } = params;
    const of_player = { ...player, environment: query.environment };
    const key = { version: 'bigint', place: 'integer' } as const;
    const { page, ...rest } = await readList(database, query, key, (from, before, count) =>
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
