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
import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { decodeCursor } from '../../platform/http/cursor.ts';
import { countRows, cutPage, readList, readTotal } from '../../platform/http/page.ts';
import { asksForNew } from '../../platform/http/etag.ts';
import { implement, JsonText } from '../../platform/http/implement.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { limitOf } from '../../platform/limits/limits.ts';
import { listCountedUses } from '../../platform/limits/use-store.ts';
import { listSeasonEntries } from './seasons/calendar.ts';
import { deleteBoard, putBoard } from './seasons/boards.ts';
import { countWaiting, countWaitingByBoard } from './quarantine/waiting-scores.ts';
import { takeOffEntry } from './entries/entry-removal.ts';
import { searchEntries } from './entries/entry-search.ts';
import { boardKind } from './definition-kind.ts';
import type { Leaderboards } from './leaderboards.ts';
import { listEntriesOf, listPlayerScores } from './entries/player-scores.ts';
import type { RequireKnown } from './rewards/known-gifts.ts';
import { refuseMisnamed } from './seasons/misnamed-settings.ts';
import { listSeasons } from './seasons/season-store.ts';
import { boardNotFound, resetBoard } from './seasons/seasons.ts';
import { findBoard, listBoards } from './seasons/settings-store.ts';
import { readSettings } from './seasons/read-settings.ts';
import type { BoardKey } from './store.ts';

export function mountDashboardRoutes(
  api: Api,
  leaderboards: Leaderboards,
  requireKnown: RequireKnown,
): void {
  const { clock, pages } = leaderboards;
  api.calendar.add('season', listSeasonEntries);
  api.definitions.add(boardKind(clock, requireKnown));

  const getBoard = async (database: Database, board: BoardKey) => {
    const found = await findBoard(database, board, clock());
    if (found === null) throw boardNotFound();
    return found;
  };

  implement(api, listLeaderboards, async ({ params, query, read }) => {
    const scope = { ...params, environment: query.environment };
    const key = { board_name: 'text' } as const;
    return read(async (database) => {
      const { page, ...rest } = await readList(database, query, key, (from, after, count) =>
        listBoards(from, scope, after?.board_name ?? null, count, clock()),
      );
      const waiting = await countWaitingByBoard(database, scope, page);
      const shown = page.map((board) => ({
        ...board,
        waiting_scores: waiting.get(board.board_name)!,
      }));
      return { leaderboards: shown, ...rest };
    });
  });

  implement(api, getLeaderboardSettings, async ({ params, query, database, read }) => {
    const key = { ...params, ...query };
    const board = await getBoard(database, key);
    const [waiting_scores, uses] = await Promise.all([
      read((group) => countWaiting(group, { ...key, season: board.season })),
      listCountedUses(database, [params.game_id]),
    ]);
    const game = uses.get(params.game_id);
    if (game === undefined) throw boardNotFound();
    const ledger_rows = { used: game.uses.ledger_rows, limit: limitOf(game, 'ledger_rows') };
    return { ...board, waiting_scores, ledger_rows };
  });

  implement(api, putLeaderboard, ({ params, body, headers, actor, database }) => {
    refuseMisnamed(body);
    const settings = readSettings(body);
    const only_new = asksForNew(headers['if-none-match']);
    return putBoard(database, params, settings, { actor, now: clock(), only_new, requireKnown });
  });

  implement(api, deleteLeaderboard, ({ params, actor, database, change }) =>
    change(() => deleteBoard(database, params, actor)),
  );

  implement(api, listLeaderboardEntries, async ({ params, query, database, read }) => {
    const { environment, search, season: asked = null, limit, offset } = query;
    const board = { ...params, environment };
    const { season: current } = await getBoard(database, board);
    if (search !== undefined) {
      const key = { ...board, season: asked ?? current };
      return new JsonText(
        await read((group) => searchEntries(group, key, { search, limit, offset })),
      );
    }
    const request = { board, season: asked, player_id: null, limit, offset };
    return new JsonText(await pages.read(request));
  });

  const seasonOfEntry = async (database: Database, board: BoardKey, asked?: number) => {
    const found = await findBoard(database, board, clock());
    if (found === null) throw notFound('Entry not found');
    return { ...board, season: asked ?? found.season };
  };

  implement(api, deleteLeaderboardEntry, async ({ params, query, actor, database }) => {
    const { player_id, ...board } = params;
    const key = { ...board, environment: query.environment };
    const season = await seasonOfEntry(database, key, query.season);
    const how = { state: 'removed', reason: null } as const;
    await takeOffEntry(database, season, player_id, how, actor);
  });

  implement(api, takeOffEntryOperation, async ({ params, query, body, actor, database }) => {
    const { player_id, ...board } = params;
    const { state, reason = null, season: asked } = body;
    const season = await seasonOfEntry(database, { ...board, ...query }, asked);
    return takeOffEntry(database, season, player_id, { state, reason }, actor);
  });

  implement(api, resetLeaderboard, async ({ params, query, actor, database }) =>
    resetBoard(database, { ...params, ...query }, actor, clock()),
  );

  implement(api, listLeaderboardSeasons, async ({ params, query, database }) => {
    const board = { ...params, environment: query.environment };
    await getBoard(database, board);
    const key = { season: 'integer' } as const;
    const { page, ...rest } = await readList(database, query, key, (from, before, count) =>
      listSeasons(from, board, before?.season ?? null, count, clock()),
    );
    return { seasons: page, ...rest };
  });

  implement(api, listPlayerScoresOperation, async ({ params, query, read }) => {
    const { environment, limit, cursor } = query;
    const key = decodeCursor(
      cursor,
      ([_name, number = '', ...rest]) => rest.length === 0 && /^\d{1,9}$/.test(number),
    );
    const after = key && { board_name: key[0]!, season: Number(key[1]) };
    const player = { ...params, environment };
    const answer = await read(async (database) => {
      const listed = await listPlayerScores(database, player, after, limit + 1, clock());
      const cut = cutPage(listed, limit, ({ board_name, season }) => [board_name, `${season}`]);
      const total = await readTotal(query, cut, () =>
        countRows(database, (from, count) => listEntriesOf(from, player, count)),
      );
      return { scores: cut.page, next_cursor: cut.next_cursor, ...total };
    });
    return new JsonText(writeJson(answer));
  });
}
