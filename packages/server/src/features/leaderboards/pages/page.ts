import { NEIGHBOURS } from '@overworld/contract/leaderboards/leaderboards';
import { TOP_RANKS, TopEntries } from './entry-cache.ts';
import type { EntryCache } from './entry-cache.ts';
import { RankOrder } from '../copies/rank-order.ts';
import { writeEntryMembers } from '../store.ts';
import type { BoardPolicy } from '../rules.ts';
import type { BoardKey, WaitingScore } from '../store.ts';

interface OfBoard {
  board: BoardKey;
  /** Null for the current season. */
  season: number | null;
}

/** A request for the entries from a given rank on. */
interface RanksRequest extends OfBoard {
  limit: number;
  offset: number;
  /** The player whose entry and neighbours the page also shows; null if it shows none. */
  player_id: string | null;
  /** True if the player makes the request: players see their own scores that wait for a decision. */
  is_own?: boolean;
}

/** A request for a player's entry with its neighbours. */
interface AroundRequest extends OfBoard {
  around_player_id: string;
  /** The maximum number of entries to show above the player's entry. */
  above: number;
  /** The maximum number of entries to show below the player's entry. */
  below: number;
  /** The same as `is_own` of `RanksRequest`. */
  is_own?: boolean;
}

/** A request for the entries of some players. */
interface PlayersRequest extends OfBoard {
  /** Each player is listed once. */
  player_ids: readonly string[];
}

export type PageRequest = RanksRequest | AroundRequest | PlayersRequest;

/** One version of a season, with the data from which pages are written. */
interface ShownSeason {
  season: number;
  version: number;
  order: RankOrder;
  top: TopEntries;
  policy: BoardPolicy | null;
}

/** The cache of the entries of a season that have been read from the database. */
type Cache = Pick<EntryCache, 'find' | 'findNumber' | 'findWaiting'>;

/**
 * Writes the answer to a request as JSON.
 * @returns null when the cache lacks entries. The cache then notes which entries must be read.
 */
export function writePage(request: PageRequest, shown: ShownSeason, cache: Cache): string | null {
  const members = writeMembers(request, shown, cache);
  if (members === null) return null;
  return writePageMembers(request.board, shown.season, shown.order.size, members);
}

function writeMembers(request: PageRequest, shown: ShownSeason, cache: Cache): string | null {
  if ('player_ids' in request) return writePlayers(request, shown, cache);
  if ('around_player_id' in request) {
    const { around_player_id: player_id, above, below, is_own = false } = request;
    const around = writeAround(shown, cache, { player_id, above, below, is_own });
    return around && `"entries":[${around.entries.join(',')}]`;
  }
  const { offset, limit, player_id, is_own = false } = request;
  const entries = writeEntries(shown, cache, offset, limit);
  if (player_id === null) return entries && `"entries":[${entries.join(',')}]`;
  const sides = { above: NEIGHBOURS, below: NEIGHBOURS };
  const around = writeAround(shown, cache, { player_id, is_own, ...sides });
  if (entries === null || around === null) return null;
  const player = around.entries[around.place] ?? 'null';
  return `"entries":[${entries.join(',')}],"player":${player},"around":[${around.entries.join(',')}]`;
}

interface Asked {
  player_id: string;
  above: number;
  below: number;
  is_own: boolean;
}

/**
 * Writes a player's entry with its neighbours.
 * @returns the entries, and the index of the player's own entry in this list; an empty list if the player has
 * no entry; null when the cache lacks entries.
 */
function writeAround(
  shown: ShownSeason,
  cache: Cache,
  asked: Asked,
): { entries: string[]; place: number } | null {
  const { order, version, policy } = shown;
  const { player_id, above, below } = asked;
  const number = cache.findNumber(player_id, order, version);
  const shows_waiting = asked.is_own && policy !== null && policy.has_waiting;
  const waiting = shows_waiting ? cache.findWaiting(player_id, version) : null;
  if (number === undefined || waiting === undefined) return null;
  if (waiting !== null) {
    const rank = order.rankFor(waiting.score, waiting.seq, waiting.tie_value);
    if (number === null || rank <= order.rankOf(number)) {
      return writeAroundWaiting(shown, cache, asked, { waiting, rank, number });
    }
  }
  if (number === null) return { entries: [], place: 0 };
  const rank = order.rankOf(number);
  const first = Math.max(0, rank - 1 - above);
  const entries = writeEntries(shown, cache, first, rank + below - first);
  return entries && { entries, place: rank - 1 - first };
}

/** Writes the entries as if the player's waiting score had replaced the public entry. */
function writeAroundWaiting(
  shown: ShownSeason,
  cache: Cache,
  { above, below }: Asked,
  { waiting, rank, number }: { waiting: WaitingScore; rank: number; number: number | null },
): { entries: string[]; place: number } | null {
  const first = Math.max(0, rank - 1 - above);
  const before = writeEntries(shown, cache, first, rank - 1 - first);
  const behind = shown.order
    .list(rank - 1, below + 1)
    .filter((each) => each !== number)
    .slice(0, below)
    .map((each, index) => writeEntry(shown, cache, each, rank + 1 + index));
  if (before === null || behind.includes(null)) return null;
  const own = `{"rank":${rank},${writeEntryMembers(waiting)}}`;
  return { entries: [...before, own, ...(behind as string[])], place: before.length };
}

/** Writes the entries of the players by rank, and then the players without an entry. */
function writePlayers(
  { player_ids }: PlayersRequest,
  shown: ShownSeason,
  cache: Cache,
): string | null {
  const { order, version } = shown;
  let is_complete = true;
  const found: { player_id: string; rank: number; entry: string }[] = [];
  for (const player_id of player_ids) {
    const number = cache.findNumber(player_id, order, version);
    if (number === undefined) {
      is_complete = false;
    } else if (number === null) {
      found.push({ player_id, rank: Infinity, entry: 'null' });
    } else {
      const rank = order.rankOf(number);
      const entry = writeEntry(shown, cache, number, rank);
      if (entry === null) is_complete = false;
      else found.push({ player_id, rank, entry });
    }
  }
  if (!is_complete) return null;
  const players = found
    .toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
    .map(({ player_id, entry }) => `{"player_id":${JSON.stringify(player_id)},"entry":${entry}}`);
  return `"players":[${players.join(',')}]`;
}

/** @param members The JSON of the members that follow `total_entries`. */
export function writePageMembers(
  { board_name }: { board_name: string },
  season: number,
  total_entries: number,
  members: string,
): string {
  return `{"board_name":${JSON.stringify(board_name)},"season":${season},"total_entries":${total_entries},${members}}`;
}

const EMPTY_SEASON = {
  version: 0,
  order: new RankOrder('descending', new Float64Array(), new Float64Array(), new Uint32Array()),
  top: new TopEntries(),
  policy: null,
};
const NO_ENTRIES: Cache = {
  find: () => null,
  findNumber: () => null,
  findWaiting: () => null,
};

/** Writes the answer for a season without entries. */
export const writeEmptyPage = (request: PageRequest, season: number): string =>
  writePage(request, { season, ...EMPTY_SEASON }, NO_ENTRIES)!;

/** Estimates the bytes of a page before it is read. @param shown Null when there is no such season. */
export function estimatePageBytes(
  request: PageRequest,
  shown: Pick<ShownSeason, 'order' | 'top'> | null,
): number {
  return shown === null ? 0 : countEntries(request, shown.order.size) * shown.top.entry_bytes;
}

/** @returns the most entries that the page may have. */
function countEntries(request: PageRequest, size: number): number {
  if ('player_ids' in request) return request.player_ids.length;
  if ('around_player_id' in request) return request.above + 1 + request.below;
  const { offset, limit, player_id } = request;
  const around = player_id === null ? 0 : 2 * NEIGHBOURS + 1;
  return around + Math.max(0, Math.min(limit, size - offset));
}

/** Writes the entries at these ranks as JSON. @returns null when the cache lacks some of them. */
function writeEntries(
  shown: ShownSeason,
  cache: Cache,
  offset: number,
  limit: number,
): string[] | null {
  const texts: string[] = [];
  let rank = offset;
  let is_complete = true;
  for (const number of shown.order.list(offset, limit)) {
    rank++;
    const text = writeEntry(shown, cache, number, rank);
    if (text === null) is_complete = false;
    else texts.push(text);
  }
  return is_complete ? texts : null;
}

function writeEntry(
  { order, top }: ShownSeason,
  cache: Cache,
  number: number,
  rank: number,
): string | null {
  let entry = top.find(number, order);
  if (entry === null) {
    entry = cache.find(number, order);
    if (entry !== null && rank <= TOP_RANKS) top.keep(number, entry, order);
  }
  return entry && `{"rank":${rank},${entry.text}}`;
}
