import { NEIGHBOURS } from '@overworld/contract/leaderboards/leaderboards';
import { TOP_RANKS, TopEntries } from './entry-cache.ts';
import type { EntryCache } from './entry-cache.ts';
import { RankOrder } from '../copies/rank-order.ts';
import type { BoardKey } from '../store.ts';

interface OfBoard {
  board: BoardKey;
  /** Null for the current one. */
  season: number | null;
}

/** A request for the entries from one rank on. */
export interface RanksRequest extends OfBoard {
  limit: number;
  offset: number;
  /** Null, or the player whose entry and neighbours the page shows too. */
  player_id: string | null;
}

/** A request for a player's entry with its neighbours. */
export interface AroundRequest extends OfBoard {
  around_player_id: string;
  /** Most entries that rank before the player's. */
  above: number;
  /** Most entries that rank behind the player's. */
  below: number;
}

/** A request for the entries of some players. */
export interface PlayersRequest extends OfBoard {
  /** Each one once. */
  player_ids: readonly string[];
}

export type PageRequest = RanksRequest | AroundRequest | PlayersRequest;

/** A season as pages show it, at one version. */
export interface ShownSeason {
  season: number;
  version: number;
  order: RankOrder;
  top: TopEntries;
}

/** Entries of a season that have been read. */
type Cache = Pick<EntryCache, 'find' | 'findNumber'>;

/** The answer to a request as JSON; null when entries are missing, which the cache then notes. */
export function writePage(request: PageRequest, shown: ShownSeason, cache: Cache): string | null {
  const members = writeMembers(request, shown, cache);
  if (members === null) return null;
  return writePageMembers(request.board, shown.season, shown.order.size, members);
}

function writeMembers(request: PageRequest, shown: ShownSeason, cache: Cache): string | null {
  if ('player_ids' in request) return writePlayers(request, shown, cache);
  if ('around_player_id' in request) {
    const { around_player_id, above, below } = request;
    const around = writeAround(shown, cache, around_player_id, above, below);
    return around && `"entries":[${around.entries.join(',')}]`;
  }
  const { offset, limit, player_id } = request;
  const entries = writeEntries(shown, cache, offset, limit);
  if (player_id === null) return entries && `"entries":[${entries.join(',')}]`;
  const around = writeAround(shown, cache, player_id, NEIGHBOURS, NEIGHBOURS);
  if (entries === null || around === null) return null;
  const player = around.entries[around.place] ?? 'null';
  return `"entries":[${entries.join(',')}],"player":${player},"around":[${around.entries.join(',')}]`;
}

/** A player's entry with its neighbours, and its place among them; none for a player without one. */
function writeAround(
  shown: ShownSeason,
  cache: Cache,
  player_id: string,
  above: number,
  below: number,
): { entries: string[]; place: number } | null {
  const { order, version } = shown;
  const number = cache.findNumber(player_id, order, version);
  if (number === undefined) return null;
  if (number === null) return { entries: [], place: 0 };
  const rank = order.rankOf(number);
  const first = Math.max(0, rank - 1 - above);
  const entries = writeEntries(shown, cache, first, rank + below - first);
  return entries && { entries, place: rank - 1 - first };
}

/** The entries of the players by rank, then the players without one. */
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

/** @param members JSON of the members that follow. */
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
};
const NO_ENTRIES: Cache = { find: () => null, findNumber: () => null };

/** The answer for a season without entries. */
export const writeEmptyPage = (request: PageRequest, season: number): string =>
  writePage(request, { season, ...EMPTY_SEASON }, NO_ENTRIES)!;

/** The entries at these ranks as JSON, or null when some are missing. */
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
