import { answerInRounds, groupRequests } from '../../../platform/batch/rounds.ts';
import type { BatchResults, RequestGroup } from '../../../platform/batch/rounds.ts';
import { createGroupBatcher } from '../../../platform/batch/group-batcher.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import type { BoardCopies } from '../copies/board-copies.ts';
import { loadOrder } from '../copies/load-order.ts';
import { readBoards } from '../board-reads.ts';
import type { Question } from '../board-reads.ts';
import { nameOfSeason, readAtOneMoment } from '../store.ts';
import type { BoardKey, SeasonState } from '../store.ts';
import { activePolicy } from '../policy/policy.ts';
import { isOver } from '../submits/ranking.ts';
import { EntryCache, TopEntries } from './entry-cache.ts';
import { writeEmptyPage, writePage } from './page.ts';
import type { PageRequest } from './page.ts';

interface PageReaderServices {
  hot: GroupedDatabase;
  copies: BoardCopies;
  clock: Clock;
}

/** The pages of one season of a board that still have to be written. */
interface View {
  board: BoardKey;
  season: number | null;
  /** Equal requests share one page. */
  pages: RequestGroup<PageRequest>[];
  cache: EntryCache;
}

type Results = BatchResults<string>;

/**
 * The maximum number of rounds for a page. Submits may change entries of the page during each round, so that
 * another round is needed. After the last round, the page is read from a copy of its own.
 */
const MAX_ROUNDS = 5;

/**
 * Reads pages in batches. While one batch is read, the requests for the next batch gather. One statement then
 * reads the versions of their boards, and the entries that are not in memory. The ranks come from the copies
 * of the boards. If a copy had to be updated, or an entry has changed in the meantime, another round reads
 * the missing entries. So all ranks and entries of a page are from the same version of the board.
 */
export function createPageReader(services: PageReaderServices) {
  const { hot, copies } = services;
  const batcher = createGroupBatcher<PageRequest, string>(hot, {
    name: 'leaderboard pages',
    max_batch_size: 500,
    max_queue_length: 20_000,
    gameOf: ({ board }) => board.game_id,
    flush: (group, requests) =>
      answerInRounds<View, string>(
        requests.length,
        groupBySeason(requests),
        async (open, results, round) => {
          if (round < MAX_ROUNDS) return readViews(group, services, open, results);
          for (const view of open) await readApart(group, services, view, results);
          return [];
        },
      ),
  });
  return {
    /** Reads a page as JSON text. The whole page shows the board at one moment, which is after the call. */
    read(request: PageRequest): Promise<string> {
      const { board, season } = request;
      if (copies.peek(board, season) !== null) return batcher.submit(request);
      // If the board is not in memory, it is loaded before the request joins a batch. Otherwise a large board
      // would hold up the other boards of the batch.
      return copies.load(board, season).then(() => batcher.submit(request));
    },
    close: () => batcher.close(),
  };
}

export type PageReader = ReturnType<typeof createPageReader>;

function groupBySeason(requests: readonly PageRequest[]): View[] {
  const pages = groupRequests(requests, nameOfPage);
  const seasons = groupRequests(pages, (page) => {
    const { board, season } = page.requests[0]!;
    return nameOfSeason(board, season);
  });
  return seasons.map(({ requests: ofSeason }) => {
    const { board, season } = ofSeason[0]!.requests[0]!;
    return { board, season, pages: ofSeason, cache: new EntryCache() };
  });
}

/** Builds a name that is the same for equal requests. Its parts may contain any character except NUL. */
export function nameOfPage(request: PageRequest): string {
  const name = nameOfSeason(request.board, request.season);
  if ('player_ids' in request) return [name, 'players', ...request.player_ids].join('\0');
  if ('around_player_id' in request) {
    const { around_player_id, above, below, is_own = false } = request;
    return [name, 'around', is_own, above, below, around_player_id].join('\0');
  }
  const { limit, offset, player_id, is_own = false } = request;
  return [name, limit, offset, is_own, player_id].join('\0');
}

/**
 * Does one round for all views.
 * @returns the views that still miss entries.
 */
async function readViews(
  group: Database,
  { copies, clock }: PageReaderServices,
  views: readonly View[],
  results: Results,
): Promise<View[]> {
  const loaded = await Promise.all(views.map(({ board, season }) => copies.load(board, season)));
  const known = loaded.map((copy) => copy?.version ?? null);
  for (const [index, { pages, cache }] of views.entries()) {
    const copy = loaded[index]!;
    if (copy === null) continue;
    // This first attempt to write each page finds out which entries are missing. The read below may show that
    // others are missing too.
    for (const { requests } of pages) writePage(requests[0]!, copy, cache);
  }
  const answers = await readBoards(
    group,
    views.map((view, index) => askForMissing(view, view.season, known[index]!)),
  );
  const time = clock();
  const open: View[] = [];
  for (const [index, view] of views.entries()) {
    const { state, entries, waiting } = answers[index]!;
    const season = findShown(view.season, state.season, time);
    if (season === null) {
      writeEmptyPages(view, state.season, results);
      continue;
    }
    view.cache.put(entries, season.version, waiting);
    const copy = loaded[index]!;
    if (copy === null || (await copies.follow(copy, known[index]!, state, season)) === 'lost') {
      open.push(view);
      continue;
    }
    if (!writePages(view, results, (request) => writePage(request, copy, view.cache))) {
      open.push(view);
    }
    copies.measure(copy);
  }
  return open;
}

/**
 * Reads the pages of one view from a copy that is made only for them. This is slower, but the copy cannot
 * change during the read.
 */
async function readApart(
  group: Database,
  { clock }: PageReaderServices,
  view: View,
  results: Results,
): Promise<void> {
  const { board, season, cache } = view;
  await readAtOneMoment(group, async (tx) => {
    const loaded = await loadOrder(tx, board, season);
    const state = findShown(season, loaded?.state ?? null, clock());
    if (state === null) return writeEmptyPages(view, loaded?.state ?? null, results);
    const { number, version } = state;
    const policy = activePolicy(state.policy!);
    const shown = { season: number, version, policy, order: loaded!.order, top: new TopEntries() };
    while (!writePages(view, results, (request) => writePage(request, shown, cache))) {
      const [answer] = await readBoards(tx, [askForMissing(view, number, null)]);
      cache.put(answer!.entries, version, answer!.waiting);
    }
  });
}

const askForMissing = (
  { board, cache }: View,
  season: number | null,
  known_version: number | null,
): Question => ({
  board,
  season,
  known_version,
  entry_numbers: cache.missing_numbers,
  player_ids: cache.missing_players,
  waiting_player_ids: cache.missing_waiting,
});

/** Returns the season to show. If the request names no season, a season that is over is not shown. */
function findShown(asked: number | null, found: SeasonState | null, now: Date): SeasonState | null {
  return found !== null && asked === null && isOver(found, now) ? null : found;
}

/**
 * Writes empty pages for a season that does not exist, or does not exist yet. A season begins with its first
 * score.
 */
function writeEmptyPages(view: View, last: SeasonState | null, results: Results): void {
  const number = view.season ?? (last?.number ?? 0) + 1;
  writePages(view, results, (request) => writeEmptyPage(request, number));
}

/**
 * Writes each page that has all its entries, and removes it from the view.
 * @returns true if no page is left.
 */
function writePages(
  view: View,
  results: Results,
  write: (request: PageRequest) => string | null,
): boolean {
  view.pages = view.pages.filter(({ requests, places }) => {
    const page = write(requests[0]!);
    if (page === null) return true;
    for (const place of places) results[place] = page;
    return false;
  });
  return view.pages.length === 0;
}
