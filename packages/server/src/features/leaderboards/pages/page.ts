import { NEIGHBOURS } from '@overworld/contract/leaderboards/leaderboards';
import { TOP_RANKS } from './entry-cache.ts';
import type { EntryCache, TopEntries } from './entry-cache.ts';
import type { RankOrder } from '../copies/rank-order.ts';
import type { BoardKey } from '../store.ts';

/** A request for a part of a board. */
export interface PageRequest {
  board: BoardKey;
  /** Null for the current one. */
  season: number | null;
  limit: number;
  offset: number;
  /** Null, or the player whose entry and neighbours the page shows too. */
  player_id: string | null;
}

/** A season as pages show it, at one version. */
export interface ShownSeason {
  season: number;
  version: number;
  order: RankOrder;
  top: TopEntries;
}

/** The answer to a request as JSON; null when entries are missing, which the cache then notes. */
export function writePage(
  { board, limit, offset, player_id }: PageRequest,
  shown: ShownSeason,
  cache: EntryCache,
): string | null {
  const { order } = shown;
  const entries = writeEntries(shown, cache, offset, limit);
  let player = '';
  if (player_id !== null) {
    const number = cache.findNumber(player_id, order, shown.version);
    if (number === undefined) return null;
    if (number === null) {
      player = ',"player":null,"around":[]';
    } else {
      const rank = order.rankOf(number);
      const first = Math.max(0, rank - 1 - NEIGHBOURS);
      const around = writeEntries(shown, cache, first, rank + NEIGHBOURS - first);
      if (around === null) return null;
      player = `,"player":${around[rank - 1 - first]},"around":[${around.join(',')}]`;
    }
  }
  if (entries === null) return null;
  return writePageMembers(board, shown.season, order.size, `[${entries.join(',')}]${player}`);
}

/** @param entries JSON of the list, and of the members that follow it. */
export function writePageMembers(
  { board_name }: { board_name: string },
  season: number,
  total_entries: number,
  entries: string,
): string {
  return `{"board_name":${JSON.stringify(board_name)},"season":${season},"total_entries":${total_entries},"entries":${entries}}`;
}

/** The answer for a season without entries. */
export function writeEmptyPage({ board, player_id }: PageRequest, season: number): string {
  return writePageMembers(
    board,
    season,
    0,
    `[]${player_id === null ? '' : ',"player":null,"around":[]'}`,
  );
}

/** The entries at these ranks as JSON, or null when some are missing. */
function writeEntries(
  { order, top }: ShownSeason,
  cache: EntryCache,
  offset: number,
  limit: number,
): string[] | null {
  const texts: string[] = [];
  let rank = offset;
  let is_complete = true;
  for (const number of order.list(offset, limit)) {
    rank++;
    let entry = top.find(number, order);
    if (entry === null) {
      entry = cache.find(number, order);
      if (entry !== null && rank <= TOP_RANKS) top.keep(number, entry, order);
    }
    if (entry === null) is_complete = false;
    else texts.push(`{"rank":${rank},${entry.text}}`);
  }
  return is_complete ? texts : null;
}
