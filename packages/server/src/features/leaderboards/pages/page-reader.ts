import type { Clock } from '../../../platform/clock.ts';
import { createBatcher } from '../../../platform/batcher.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { BoardCopies } from '../copies/board-copies.ts';
import { loadOrder } from '../copies/load-order.ts';
import { EntryCache, TopEntries } from './entry-cache.ts';
import { writeEmptyPage, writePage } from './page.ts';
import type { PageRequest } from './page.ts';
import { isOver } from '../submits/ranking.ts';
import { readAtOneMoment, readBoards } from '../store.ts';
import type { BoardKey, SeasonState } from '../store.ts';

export interface PageReader {
  /** The page as JSON text, of one moment after the call. */
  read(request: PageRequest): Promise<string>;
  close(): Promise<void>;
}

export interface PageReaderServices {
  hot: Database;
  copies: BoardCopies;
  clock: Clock;
}

/** Requests of a batch for one season of a board, with their places in the batch. */
interface View {
  board: BoardKey;
  season: number | null;
  requests: Map<string, { request: PageRequest; places: number[] }>;
  cache: EntryCache;
}

/** So often a page is tried while submits change its entries under it. */
const MAX_ATTEMPTS = 5;

/**
 * Batches reads of pages: for all requests that come while the one before is read, one statement
 * reads the versions of their boards and the entries asked for that are not in memory, each once.
 * Who ranks where, the copies know. When a copy had to follow the database, or an entry has changed
 * meanwhile, what is missing is read again: a page shows the copy at one version, with every entry
 * as it was at that version.
 */
export function createPageReader(services: PageReaderServices): PageReader {
  const { copies } = services;
  const batcher = createBatcher<PageRequest, string>({
    name: 'leaderboard pages',
    max_batch_size: 500,
    max_queue_length: 20_000,
    async flush(requests) {
      const pages: string[] = [];
      let open = groupBySeason(requests);
      for (let attempt = 1; open.length > 0 && attempt <= MAX_ATTEMPTS; attempt++) {
        open = await readViews(services, open, pages);
      }
      for (const view of open) await readApart(services, view, pages);
      return pages;
    },
  });
  return {
    async read(request) {
      const { board, season } = request;
      // A large board that is not in memory must not hold up the others of a batch.
      if (copies.peek(board, season) === null) await copies.load(board, season);
      return batcher.submit(request);
    },
    close: () => batcher.close(),
  };
}

/** Equal requests are one. */
function groupBySeason(requests: readonly PageRequest[]): View[] {
  const views = new Map<string, View>();
  requests.forEach((request, place) => {
    const { board, season, limit, offset, player_id } = request;
    const name = `${board.game_id} ${board.environment} ${season ?? ''} ${board.board_name}`;
    let view = views.get(name);
    if (view === undefined) {
      view = { board, season, requests: new Map(), cache: new EntryCache() };
      views.set(name, view);
    }
    const part = `${limit} ${offset} ${player_id === null ? '' : `of ${player_id}`}`;
    const same = view.requests.get(part);
    if (same === undefined) view.requests.set(part, { request, places: [place] });
    else same.places.push(place);
  });
  return [...views.values()];
}

/** Reads once for all views. @returns those that still miss something. */
async function readViews(
  { hot, copies, clock }: PageReaderServices,
  views: readonly View[],
  pages: string[],
): Promise<View[]> {
  const loaded = await Promise.all(views.map(({ board, season }) => copies.load(board, season)));
  const known = loaded.map((copy) => copy?.version ?? null);
  for (const [index, { requests, cache }] of views.entries()) {
    const copy = loaded[index]!;
    if (copy === null) continue;
    // Puts what the pages need on the list, as far as is known before reading.
    for (const { request } of requests.values()) writePage(request, copy, cache);
  }
  const answers = await readBoards(
    hot,
    views.map(({ board, season, cache }, index) => ({
      board,
      season,
      known_version: known[index]!,
      entry_numbers: cache.missing_numbers,
      player_ids: cache.missing_players,
    })),
  );
  const time = clock();
  const open: View[] = [];
  for (const [index, view] of views.entries()) {
    const { state, entries } = answers[index]!;
    const season = findShown(view.season, state.season, time);
    if (season === null) {
      writeEmptyPages(view, state.season, pages);
      continue;
    }
    view.cache.put(entries, season.version);
    const copy = loaded[index]!;
    if (copy === null || (await copies.follow(copy, known[index]!, season)) === 'lost') {
      open.push(view);
      continue;
    }
    if (!writePages(view, pages, (request) => writePage(request, copy, view.cache))) {
      open.push(view);
    }
    copies.measure(copy);
  }
  return open;
}

/** Reads by itself, from a copy of its own: slower, but nothing can change under it. */
async function readApart(
  { hot, clock }: PageReaderServices,
  view: View,
  pages: string[],
): Promise<void> {
  const { board, season, cache } = view;
  await readAtOneMoment(hot, async (tx) => {
    const loaded = await loadOrder(tx, board, season);
    const state = findShown(season, loaded?.state ?? null, clock());
    if (state === null) return writeEmptyPages(view, loaded?.state ?? null, pages);
    const { number, version } = state;
    const shown = { season: number, version, order: loaded!.order, top: new TopEntries() };
    while (!writePages(view, pages, (request) => writePage(request, shown, cache))) {
      const [answer] = await readBoards(tx, [
        {
          board,
          season: number,
          known_version: null,
          entry_numbers: cache.missing_numbers,
          player_ids: cache.missing_players,
        },
      ]);
      cache.put(answer!.entries, version);
    }
  });
}

/** The season to show; one that is over only if it was asked for by its number. */
function findShown(asked: number | null, found: SeasonState | null, now: Date): SeasonState | null {
  return found !== null && asked === null && isOver(found, now) ? null : found;
}

/** For a season that does not exist, or that begins with its first score. */
function writeEmptyPages(view: View, last: SeasonState | null, pages: string[]): void {
  const number = view.season ?? (last?.number ?? 0) + 1;
  writePages(view, pages, (request) => writeEmptyPage(request, number));
}

/** Takes the requests that can be answered out of the view. @returns whether that was all. */
function writePages(
  view: View,
  pages: string[],
  write: (request: PageRequest) => string | null,
): boolean {
  for (const [name, { request, places }] of view.requests) {
    const page = write(request);
    if (page === null) continue;
    for (const place of places) pages[place] = page;
    view.requests.delete(name);
  }
  return view.requests.size === 0;
}
