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

/** Pages of one season of a board that are still to be written. */
interface View {
  board: BoardKey;
  season: number | null;
  /** Equal requests share one page. */
  pages: RequestGroup<PageRequest>[];
  cache: EntryCache;
}

type Results = BatchResults<string>;

/**
 * The most rounds in which a page tries to keep up with submits that change its entries. After them, it
 * is read apart.
 */
const MAX_ROUNDS = 5;

/**
 * Batches reads of pages. While one batch is read, the requests for the next one gather; one statement
 * then reads the versions of their boards and the entries that are not in memory. The ranks come from
 * the copies. When a copy had to follow the database, or an entry has changed meanwhile, the missing
 * entries are read in another round. So a page shows the copy at one version, with every entry as it was
 * at that version.
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
    /** Reads a page as JSON text. All of it is from one moment after the call. */
    read(request: PageRequest): Promise<string> {
      const { board, season } = request;
      if (copies.peek(board, season) !== null) return batcher.submit(request);
      // A large board that is not in memory is loaded before, so it does not hold up the other boards of
      // a batch.
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

/** Builds a name that equal requests share. Its parts may hold any character but NUL. */
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

/** Reads once for all views. @returns the views that still miss entries. */
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
    // This first try notes the entries that the pages miss, as far as they are known before the read.
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

/** Reads one view from a copy made for it. This is slower, but the copy cannot change meanwhile. */
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

/** The season to show. A season that is over is shown only if the request names its number. */
function findShown(asked: number | null, found: SeasonState | null, now: Date): SeasonState | null {
  return found !== null && asked === null && isOver(found, now) ? null : found;
}

/** Writes the pages of a season that does not exist, or not yet: a season begins with its first score. */
function writeEmptyPages(view: View, last: SeasonState | null, results: Results): void {
  const number = view.season ?? (last?.number ?? 0) + 1;
  writePages(view, results, (request) => writeEmptyPage(request, number));
}

/** Writes the pages that can be written, and removes them from the view. @returns true if no page is left. */
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
