import { writeEntryMembers } from '../store.ts';
import type { RankOrder } from '../copies/rank-order.ts';
import type { Entry, WaitingScore } from '../store.ts';

/** Most pages show ranks up to this one. */
export const TOP_RANKS = 100;

const GUESSED_ENTRY_BYTES = 2_048;
/** The bytes of an entry without its metadata. */
const OTHER_ENTRY_BYTES = 200;

/** An entry without its rank, as JSON. Whenever its content changes, its seq changes too. */
interface Written {
  seq: number;
  text: string;
}

/** Entries of a season that have been read for the pages of a batch. */
export class EntryCache {
  readonly #by_number = new Map<number, Written>();
  readonly #by_player = new Map<string, { number: number; seq: number }>();
  /** Players who had no entry, each with the version of the season at that time. */
  readonly #absent = new Map<string, number>();
  /** Requested entries that are not in the cache and must be read. */
  readonly missing_numbers = new Set<number>();
  readonly missing_players = new Set<string>();
  /** Scores that wait for a decision, each with the version of the season when it was read. */
  readonly #waiting = new Map<string, { version: number; score: WaitingScore | null }>();
  readonly missing_waiting = new Set<string>();

  /** Adds the missing entries and scores, which were read when the season had this version. */
  put(entries: readonly Entry[], version: number, waiting: readonly WaitingScore[] = []): void {
    for (const player_id of this.missing_waiting) {
      const score = waiting.find((each) => each.player_id === player_id) ?? null;
      this.#waiting.set(player_id, { version, score });
    }
    this.missing_waiting.clear();
    for (const player_id of this.missing_players) {
      this.#by_player.delete(player_id);
      this.#absent.set(player_id, version);
    }
    for (const entry of entries) {
      const { entry_number: number, seq, player_id } = entry;
      this.#by_number.set(number, { seq, text: writeEntryMembers(entry) });
      this.#by_player.set(player_id, { number, seq });
    }
    this.missing_numbers.clear();
    this.missing_players.clear();
  }

  /**
   * Returns the entry with this number, if the cache has it with the `seq` that the rank order has. Otherwise
   * notes the number as missing.
   */
  find(number: number, order: RankOrder): Written | null {
    const entry = this.#by_number.get(number);
    if (entry !== undefined && entry.seq === order.seqOf(number)) return entry;
    this.missing_numbers.add(number);
    return null;
  }

  /**
   * Finds the player's entry number. Returns null when the player
   * has no entry, and undefined when the cache does not know.
   */
  findNumber(player_id: string, order: RankOrder, version: number): number | null | undefined {
    const entry = this.#by_player.get(player_id);
    if (entry !== undefined && entry.seq === order.seqOf(entry.number)) return entry.number;
    if (entry === undefined && this.#absent.get(player_id) === version) return null;
    this.missing_players.add(player_id);
    return undefined;
  }

  /** Finds the player's waiting score; null if there is none, undefined if the cache does not know. */
  findWaiting(player_id: string, version: number): WaitingScore | null | undefined {
    const known = this.#waiting.get(player_id);
    if (known?.version === version) return known.score;
    this.missing_waiting.add(player_id);
    return undefined;
  }
}

/** Entries at the top of a season as they were last read, so that most pages need no read. */
export class TopEntries {
  readonly #entries = new Map<number, Written>();
  #bytes = 0;
  #entry_bytes: number | null = null;

  get bytes(): number {
    return this.#bytes;
  }

  /** The bytes that an entry is expected to have: the largest mean of a read, or a guess before the first. */
  get entry_bytes(): number {
    return this.#entry_bytes ?? GUESSED_ENTRY_BYTES;
  }

  noteRead(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    const bytes = entries.reduce((sum, { metadata }) => sum + (metadata?.length ?? 0), 0);
    const mean = OTHER_ENTRY_BYTES + bytes / entries.length;
    this.#entry_bytes = Math.max(this.#entry_bytes ?? 0, mean);
  }

  find(number: number, order: RankOrder): Written | null {
    const entry = this.#entries.get(number);
    return entry !== undefined && entry.seq === order.seqOf(number) ? entry : null;
  }

  keep(number: number, entry: Written, order: RankOrder): void {
    this.#forget(number);
    this.#entries.set(number, entry);
    this.#bytes += measure(entry);
    if (this.#entries.size > 2 * TOP_RANKS) this.#forgetOthers(order);
  }

  /** Forgets entries that have changed or are no longer at the top. */
  #forgetOthers(order: RankOrder): void {
    const top = new Set(order.list(0, TOP_RANKS));
    for (const number of this.#entries.keys()) {
      if (!top.has(number) || this.find(number, order) === null) this.#forget(number);
    }
  }

  #forget(number: number): void {
    const entry = this.#entries.get(number);
    if (entry === undefined) return;
    this.#entries.delete(number);
    this.#bytes -= measure(entry);
  }
}

/** Estimates the bytes of memory: at most two per character, and some 150 for the objects around the text. */
const measure = ({ text }: Written): number => 150 + 2 * text.length;
