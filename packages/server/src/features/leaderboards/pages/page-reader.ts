import {
  answerInRounds,
  createGroupBatcher,
  groupRequests,
} from '../../../platform/batch/batcher.ts';
import type { BatchResults, RequestGroup } from '../../../platform/batch/batcher.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import type { BoardCopies, BoardCopy } from '../copies/board-copies.ts';
import type { BoardOpener } from '../copies/board-opener.ts';
import { loadOrder } from '../copies/load-order.ts';
import { readBoards } from '../board-reads.ts';
import type { Question } from '../board-reads.ts';
import { nameOfSeason, readAtOneMoment } from '../store.ts';
import type { BoardKey, SeasonState } from '../store.ts';
import { isOver } from '../submits/decide-submits.ts';
import { EntryCache, TopEntries } from './entry-cache.ts';
import { estimatePageBytes, writeEmptyPage, writePage } from './page.ts';
import type { PageRequest } from './page.ts';

interface PageReaderServices {
  hot: GroupedDatabase;
  database: GroupedDatabase;
  copies: BoardCopies;
  opener: Pick<BoardOpener, 'load' | 'run'>;
  clock: Clock;
}

/** A request with a copy of its season, which is good even if memory has no room for it. */
type LoadedRequest = PageRequest & {
  /** Null when there was no such season. */
  copy: BoardCopy | null;
};

/** The pages of one season of a board that still have to be written. */
interface View {
  board: BoardKey;
  season: number | null;
  copy: BoardCopy | null;
  /** Equal requests share one page. */
  pages: RequestGroup<PageRequest>[];
  cache: EntryCache;
}

/** The results of a batch. Null: the board must be loaded, or changes too fast, and the read be made again. */
type Results = BatchResults<string | null>;

/**
 * The maximum number of rounds for a page in a batch. Submits may change entries of the page during each
 * round, so that another round is needed.
 */
const MAX_ROUNDS = 3;
/** The maximum bytes of a batch's pages. Small pages would wait long for a batch with many large ones. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** The maximum number of batches for a page. After the last one, the page is read from a copy of its own. */
const MAX_BATCHES = 3;

/**
 * Reads pages in batches. While one batch is read, the requests for the next batch gather. One statement then
 * reads the versions of their boards, and the entries that are not in memory. The ranks come from the copies
 * of the boards. If a copy had to be updated, or an entry has changed in the meantime, another round reads
 * the missing entries. So all ranks and entries of a page are from the same version of the board. A request
 * whose board must be loaded leaves its batch, so that no other board waits. The batch itself finds out that
 * there is no board or no score yet, so such a request waits for no load.
 */
export function createPageReader(services: PageReaderServices) {
  const { hot, database, copies, opener } = services;
  const batcher = createGroupBatcher<LoadedRequest, string | null>(hot, {
    name: 'leaderboard pages',
    max_batch_size: 500,
    max_queue_length: 20_000,
    gameOf: ({ board }) => board.game_id,
    bytes: {
      of: (request) => estimatePageBytes(request, request.copy),
      max_batch: MAX_BATCH_BYTES,
      max_queue: Infinity,
    },
    flush: (group, requests) =>
      answerInRounds<View, string | null>(
        requests.length,
        groupBySeason(requests, copies),
        async (open, results, round) => {
          if (round < MAX_ROUNDS) return readViews(group, services, open, results);
          for (const view of open) leaveBatch(view, results);
          return [];
        },
      ),
  });
  return {
    /** Reads a page as JSON text. The whole page shows the board at one moment, which is after the call. */
    async read(request: PageRequest): Promise<string> {
      const { board, season } = request;
      for (let batch = 0; batch < MAX_BATCHES; batch++) {
        const copy =
          copies.peek(board, season) ?? (batch === 0 ? null : await opener.load(board, season));
        const page = await batcher.submit({ ...request, copy });
        if (page !== null) return page;
      }
      const group = database.ofGame(board.game_id);
      return opener.run(board, () => readApart(group, services, request));
    },
    close: () => batcher.close(),
  };
}

export type PageReader = ReturnType<typeof createPageReader>;

function groupBySeason(requests: readonly LoadedRequest[], copies: BoardCopies): View[] {
  const pages = groupRequests(requests, nameOfPage);
  const seasons = groupRequests(pages, (page) => {
    const { board, season } = page.requests[0]!;
    return nameOfSeason(board, season);
  });
  return seasons.map(({ requests: ofSeason }) => {
    const { board, season } = ofSeason[0]!.requests[0]!;
    const all = ofSeason.flatMap((page) => page.requests);
    const loaded = all.find((request) => request.copy !== null);
    const copy = copies.peek(board, season) ?? loaded?.copy ?? null;
    return { board, season, copy, pages: ofSeason, cache: new EntryCache() };
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
  const known = views.map(({ copy }) => copy?.version ?? null);
  for (const { copy, pages, cache } of views) {
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
      const number = nextNumber(view.season, state.season);
      writePages(view, results, (request) => writeEmptyPage(request, number));
      continue;
    }
    view.cache.put(entries, season.version, waiting);
    const { copy } = view;
    if (copy === null || (await copies.follow(copy, known[index]!, state, season)) === 'lost') {
      leaveBatch(view, results);
      continue;
    }
    copy.top.noteRead(entries);
    if (!writePages(view, results, (request) => writePage(request, copy, view.cache))) {
      open.push(view);
    }
    copies.measure(copy);
  }
  return open;
}

function leaveBatch({ pages }: View, results: Results): void {
  for (const { places } of pages) for (const place of places) results[place] = null;
}

/**
 * Reads a page from a copy of its own. This is slower, but the copy cannot change during the read.
 */
function readApart(
  group: Database,
  { clock }: PageReaderServices,
  request: PageRequest,
): Promise<string> {
  const { board, season } = request;
  const cache = new EntryCache();
  return readAtOneMoment(group, async (tx) => {
    const loaded = await loadOrder(tx, board, season);
    const state = findShown(season, loaded?.state ?? null, clock());
    if (state === null) return writeEmptyPage(request, nextNumber(season, loaded?.state ?? null));
    const { number, version } = state;
    const policy = state.policy!;
    const shown = { season: number, version, policy, order: loaded!.order, top: new TopEntries() };
    for (;;) {
      const page = writePage(request, shown, cache);
      if (page !== null) return page;
      const [answer] = await readBoards(tx, [askForMissing({ board, cache }, number, null)]);
      cache.put(answer!.entries, version, answer!.waiting);
    }
  });
}

const askForMissing = (
  { board, cache }: Pick<View, 'board' | 'cache'>,
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
 * Returns the number of a season that does not exist, or does not exist yet. A season begins with its first
 * score.
 */
const nextNumber = (asked: number | null, last: SeasonState | null): number =>
  asked ?? (last?.number ?? 0) + 1;

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
