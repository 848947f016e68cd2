import { NEIGHBOURS } from '@overworld/contract/leaderboards';
import { writeEntry } from './entry-json.ts';
import type { RankOrder } from './rank-order.ts';
import type { BoardKey, Entry } from './store.ts';

/** What to show of a board. */
export interface PageRequest {
  board: BoardKey;
  /** Null: the current one. */
  season: number | null;
  limit: number;
  offset: number;
  /** Whose entry and neighbours to show too; null: nobody's. */
  player_id: string | null;
}

/** What has been read of a season's entries. */
export class EntryShelf {
  readonly #by_number = new Map<number, Entry>();
  readonly #by_player = new Map<string, Entry>();
  /** Players without an entry, and the version at which that was so. */
  readonly #absent = new Map<string, number>();
  /** What was asked for and is not here: to be read. */
  readonly wanted_numbers = new Set<number>();
  readonly wanted_players = new Set<string>();

  /** Puts in what was read at a version, and clears what was wanted. */
  put(entries: readonly Entry[], version: number): void {
    for (const player_id of this.wanted_players) {
      this.#by_player.delete(player_id);
      this.#absent.set(player_id, version);
    }
    for (const entry of entries) {
      this.#by_number.set(entry.entry_number, entry);
      this.#by_player.set(entry.player_id, entry);
    }
    this.wanted_numbers.clear();
    this.wanted_players.clear();
  }

  /** The entry of this number, if it is here as the order has it; else it is wanted. */
  find(number: number, order: RankOrder): Entry | null {
    const entry = this.#by_number.get(number);
    // An entry's content never changes without its seq.
    if (entry !== undefined && entry.seq === order.seqOf(number)) return entry;
    this.wanted_numbers.add(number);
    return null;
  }

  /** The player's entry number, or null; undefined when that is not known at this version. */
  findNumber(player_id: string, order: RankOrder, version: number): number | null | undefined {
    const entry = this.#by_player.get(player_id);
    if (entry !== undefined && entry.seq === order.seqOf(entry.entry_number)) {
      return entry.entry_number;
    }
    if (entry === undefined && this.#absent.get(player_id) === version) return null;
    this.wanted_players.add(player_id);
    return undefined;
  }
}

/** Writes the answer to a request as JSON, or null when entries are missing, which are then wanted. */
export function writePage(
  { board, limit, offset, player_id }: PageRequest,
  copy: { season: number; order: RankOrder; version: number },
  shelf: EntryShelf,
): string | null {
  const { order } = copy;
  const entries = writeEntries(order, shelf, offset, limit);
  let player = '';
  if (player_id !== null) {
    const number = shelf.findNumber(player_id, order, copy.version);
    if (number === undefined) return null;
    if (number === null) {
      player = ',"player":null,"around":[]';
    } else {
      const rank = order.rankOf(number);
      const first = Math.max(0, rank - 1 - NEIGHBOURS);
      const around = writeEntries(order, shelf, first, rank + NEIGHBOURS - first);
      const own = shelf.find(number, order);
      if (own === null || around === null) return null;
      player = `,"player":${writeEntry(rank, own)},"around":${around}`;
    }
  }
  if (entries === null) return null;
  return writePageMembers(board, copy.season, order.size, entries + player);
}

/** @param entries JSON of the list, and of members that follow it. */
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

function writeEntries(
  order: RankOrder,
  shelf: EntryShelf,
  offset: number,
  limit: number,
): string | null {
  const texts: string[] = [];
  let is_complete = true;
  order.list(offset, limit).forEach((number, index) => {
    const entry = shelf.find(number, order);
    if (entry === null) is_complete = false;
    else if (is_complete) texts.push(writeEntry(offset + index + 1, entry));
  });
  return is_complete ? `[${texts.join(',')}]` : null;
}
