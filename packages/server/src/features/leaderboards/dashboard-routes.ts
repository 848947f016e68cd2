import {
  deleteLeaderboardEntry,
  listLeaderboardEntries,
  listLeaderboardSeasons,
  listPlayerScores as listPlayerScoresOperation,
  resetLeaderboard,
} from '@overworld/contract/leaderboards/entries';
import {
  deleteLeaderboard,
  getLeaderboardSettings,
  listLeaderboards,
  putLeaderboard,
} from '@overworld/contract/leaderboards/settings';
import { takeOffEntry as takeOffEntryOperation } from '@overworld/contract/leaderboards/taken-off';
import { notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { decodeCursor } from '../../platform/http/cursor.ts';
import { countRows, cutPage, readList, readTotal } from '../../platform/http/page.ts';
import { asksForNew } from '../../platform/http/etag.ts';
import { implement, JsonText } from '../../platform/http/implement.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { limitOf } from '../../platform/limits/limits.ts';
import { listCountedUses } from '../../platform/limits/use-store.ts';
import { deleteBoard, putBoard } from './seasons/boards.ts';
import { countWaiting, countWaitingByBoard } from './quarantine/held-scores.ts';
import { takeOffEntry } from './entries/entry-removal.ts';
import { searchEntries } from './entries/entry-search.ts';
import type { Leaderboards } from './leaderboards.ts';
import { listEntriesOf, listPlayerScores } from './entries/player-scores.ts';
import { refuseMisnamed } from './seasons/misnamed-settings.ts';
import { listSeasons } from './seasons/season-store.ts';
import { boardNotFound, resetBoard } from './seasons/seasons.ts';
import { findBoard, listBoards } from './seasons/settings-store.ts';
import type { Settings } from './seasons/settings-store.ts';
import type { BoardKey } from './store.ts';

export function mountDashboardRoutes(api: Api, leaderboards: Leaderboards): void {
  const { database, clock, pages } = leaderboards;
  const { reads } = api;

  const find = (board: BoardKey) => findBoard(database.ofGame(board.game_id), board, clock());

  const getBoard = async (board: BoardKey) => {
    const found = await find(board);
    if (found === null) throw boardNotFound();
    return found;
  };

  implement(api, listLeaderboards, async ({ params, query, owner, signal }) => {
    const scope = { ...params, environment: query.environment };
    const group = database.ofGame(params.game_id);
    const key = { board_name: 'text' } as const;
    const read = async () => {
      const { page, ...rest } = await readList(group, query, key, (from, after, count) =>
        listBoards(from, scope, after?.board_name ?? null, count, clock()),
      );
      const waiting = await countWaitingByBoard(group, scope, page);
      const shown = page.map((board) => ({
        ...board,
        waiting_scores: waiting.get(board.board_name)!,
      }));
      return { leaderboards: shown, ...rest };
    };
    return reads.run(owner, read, signal);
  });

  implement(api, getLeaderboardSettings, async ({ params, query, owner, signal }) => {
    const key = { ...params, ...query };
    const board = await getBoard(key);
    const group = database.ofGame(params.game_id);
    const count = () => countWaiting(group, { ...key, season: board.season });
    const [waiting_scores, uses] = await Promise.all([
      reads.run(owner, count, signal),
      listCountedUses(group, [params.game_id]),
    ]);
    const game = uses.get(params.game_id);
    if (game === undefined) throw boardNotFound();
    const ledger_rows = { used: game.uses.ledger_rows, limit: limitOf(game, 'ledger_rows') };
    return { ...board, waiting_scores, ledger_rows };
  });

  implement(api, putLeaderboard, ({ params, body, headers, actor }) => {
    refuseMisnamed(body);
    const settings: Settings = {
      order: body.order,
      reset_schedule: body.reset_schedule,
      min_score: body.min_score ?? null,
      max_score: body.max_score ?? null,
      writes_from: body.writes_from,
      on_violation: body.on_violation,
      max_gain: body.max_gain ?? null,
      first_gain_from: body.first_gain_from ?? null,
      max_gain_per_hour: body.max_gain_per_hour ?? null,
      min_submit_interval_ms: body.min_submit_interval_ms ?? null,
      required_metadata: [...new Set(body.required_metadata)],
      keeps_ledger: body.keeps_ledger ?? false,
      ledger_days: body.ledger_days,
    };
    const only_new = asksForNew(headers['if-none-match']);
    return putBoard(database.ofGame(params.game_id), params, settings, actor, clock(), only_new);
  });

  implement(api, deleteLeaderboard, ({ params, actor, owner, signal }) => {
    const group = database.ofGame(params.game_id);
    return reads.run(owner, () => deleteBoard(group, params, actor), signal);
  });

  implement(api, listLeaderboardEntries, async ({ params, query, owner, signal }) => {
    const { environment, search, season: asked = null, limit, offset } = query;
    const board = { ...params, environment };
    const { season: current } = await getBoard(board);
    if (search !== undefined) {
      const key = { ...board, season: asked ?? current };
      const group = database.ofGame(board.game_id);
      const searchAll = () => searchEntries(group, key, { search, limit, offset });
      return new JsonText(await reads.run(owner, searchAll, signal));
    }
    const request = { board, season: asked, player_id: null, limit, offset };
    return new JsonText(await pages.read(request));
  });

  const seasonOfEntry = async (board: BoardKey, asked: number | undefined) => {
    const found = await find(board);
    if (found === null) throw notFound('Entry not found');
    return { ...board, season: asked ?? found.season };
  };

  implement(api, deleteLeaderboardEntry, async ({ params, query, actor }) => {
    const { player_id, ...board } = params;
    const season = await seasonOfEntry({ ...board, environment: query.environment }, query.season);
    const how = { state: 'removed', reason: null } as const;
    await takeOffEntry(database.ofGame(season.game_id), season, player_id, how, actor);
  });

  implement(api, takeOffEntryOperation, async ({ params, query, body, actor }) => {
    const { player_id, ...board } = params;
    const { state, reason = null, season: asked } = body;
    const season = await seasonOfEntry({ ...board, ...query }, asked);
    const group = database.ofGame(season.game_id);
    return takeOffEntry(group, season, player_id, { state, reason }, actor);
  });

  implement(api, resetLeaderboard, async ({ params, query, actor }) =>
    resetBoard(database.ofGame(params.game_id), { ...params, ...query }, actor, clock()),
  );

  implement(api, listLeaderboardSeasons, async ({ params, query }) => {
    const board = { ...params, environment: query.environment };
    await getBoard(board);
    const group = database.ofGame(params.game_id);
    const key = { season: 'integer' } as const;
    const { page, ...rest } = await readList(group, query, key, (from, before, count) =>
      listSeasons(from, board, before?.season ?? null, count, clock()),
    );
    return { seasons: page, ...rest };
  });

  implement(api, listPlayerScoresOperation, async ({ params, query, owner, signal }) => {
    const { environment, limit, cursor } = query;
    const key = decodeCursor(
      cursor,
      ([_name, number = '', ...rest]) => rest.length === 0 && /^\d{1,9}$/.test(number),
    );
    const after = key && { board_name: key[0]!, season: Number(key[1]) };
    const player = { ...params, environment };
    const group = database.ofGame(params.game_id);
    const read = async () => {
      const listed = await listPlayerScores(group, player, after, limit + 1, clock());
      const cut = cutPage(listed, limit, ({ board_name, season }) => [board_name, `${season}`]);
      const total = await readTotal(query, cut, () =>
        countRows(group, (from, count) => listEntriesOf(from, player, count)),
      );
      return { scores: cut.page, next_cursor: cut.next_cursor, ...total };
    };
    return new JsonText(writeJson(await reads.run(owner, read, signal)));
  });
}
