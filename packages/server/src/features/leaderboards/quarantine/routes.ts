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
import { decodeCursor } from '../../../platform/http/cursor.ts';
import { implement, JsonText, Reply } from '../../../platform/http/implement.ts';
import { countRows, cutPage, readTotal } from '../../../platform/http/page.ts';
import { isUuid } from '../../../platform/http/validation.ts';
import { isTimestampText } from '../../../platform/database/timestamp.ts';
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
    const { environment, season, limit, cursor } = query;
    const key = await seasonOf({ ...params, environment }, season);
    const after = decodeCursor(cursor, ([seq = '', ...rest]) => rest.length === 0 && isCount(seq));
    const group = database.ofGame(params.game_id);
    const rows = await listWaiting(group, key, after && Number(after[0]), limit + 1);
    const cut = cutPage(rows, limit, ({ seq }) => [`${seq}`]);
    const total = await readTotal(query, cut, () =>
      countRows(group, (from, count) => listWaiting(from, key, null, count)),
    );
    const { page, next_cursor } = cut;
    return new JsonText(writeJson({ scores: page.map(toShown), next_cursor, ...total }));
  });

  implement(api, listPlayerWaitingScores, async ({ params, query }) => {
    const group = database.ofGame(params.game_id);
    const rows = await listWaitingOf(group, { ...params, ...query });
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

  implement(api, listLeaderboardDecisions, async ({ params, query }) => {
    const { environment, limit, cursor } = query;
    const { season: _season, ...board } = await seasonOf({ ...params, environment }, undefined);
    const key = decodeCursor(
      cursor,
      ([at = '', id = '', ...rest]) => rest.length === 0 && isTimestampText(at) && isUuid(id),
    );
    const before = key && { decided_at: key[0]!, decision_id: key[1]! };
    const group = database.ofGame(params.game_id);
    const rows = await listDecisions(group, board, before, limit + 1);
    const cut = cutPage(rows, limit, ({ position, decision_id }) => [position, decision_id]);
    const total = await readTotal(query, cut, () =>
      countRows(group, (from, count) => listDecisions(from, board, null, count)),
    );
    return {
      decisions: cut.page.map(({ position: _position, ...decision }) => decision),
      next_cursor: cut.next_cursor,
      ...total,
    };
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
    const { environment, limit, cursor } = query;
    const key = decodeCursor(
      cursor,
      ([version = '', place = '', ...rest]) =>
        rest.length === 0 && isCount(version) && isPlace(place),
    );
    const before = key && { version: Number(key[0]), place: Number(key[1]) };
    const from = { ...player, environment };
    const group = database.ofGame(params.game_id);
    const rows = await listSubmits(group, from, board_name, before, limit + 1);
    const cut = cutPage(rows, limit, ({ version, place }) => [`${version}`, `${place}`]);
    const total = await readTotal(query, cut, () =>
      countRows(group, (connection, count) =>
        listSubmits(connection, from, board_name, null, count),
      ),
    );
    return {
      submits: cut.page.map(({ version: _version, place: _place, ...submit }) => submit),
      next_cursor: cut.next_cursor,
      ...total,
    };
  });
}

/** A waiting score for `writeJson`. */
const toShown = <Row extends WaitingRow>({ seq: _seq, metadata, ...score }: Row) => ({
  ...score,
  metadata: metadata === null ? null : new JsonText(metadata),
});

const isCount = (text: string) => /^\d{1,16}$/.test(text);
const isPlace = (text: string) => /^\d{1,9}$/.test(text);
