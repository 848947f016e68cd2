import type { Database } from '../../../platform/database/database.ts';
import type { ScoreChanges } from '../submits/change-store.ts';
import { TopEntries } from '../pages/entry-cache.ts';
import { findSeason, loadOrder } from './load-order.ts';
import type { RankOrder } from './rank-order.ts';
import { nameOfSeason, readAtOneMoment } from '../store.ts';
import type { BoardKey, LoggedChange, SeasonState } from '../store.ts';

/** The ranks of one season of a board in the memory of this process; exact at its version. */
export interface BoardCopy {
  readonly board: BoardKey;
  /** The season that was asked for; null for the current one. */
  readonly asked_season: number | null;
  readonly season: number;
  readonly order: RankOrder;
  readonly top: TopEntries;
  version: number;
  /** Memory when it was last measured. */
  bytes: number;
  /** Resolves when the submits under way are stored; until then no other caller moves the copy. */
  writing: Promise<unknown> | null;
}

/** Memory of a copy besides its order: names, and the objects around typed arrays. */
const COPY_BYTES = 1_200;

/** How a copy compares with a version that was read from the database. */
export type Freshness =
  /** The copy is at this version. */
  | 'same'
  /** The copy is past this version. */
  | 'newer'
  /** No chain of changes leads from the copy to this version: the copy is dropped. */
  | 'lost';

/**
 * Copies of the boards in use. When they take more than `max_bytes`, the least recently used ones are
 * dropped. Copies only follow the database: by the changes that this process has committed, and by
 * the log of the changes that other processes have.
 */
export class BoardCopies {
  readonly #database: Database;
  readonly #max_bytes: number;
  readonly #copies = new Map<string, BoardCopy>();
  readonly #loading = new Map<string, Promise<BoardCopy | null>>();
  #bytes = 0;

  constructor(database: Database, max_bytes: number) {
    this.#database = database;
    this.#max_bytes = max_bytes;
  }

  /** The copy of a season (null for the current one) if it is in memory. */
  peek(board: BoardKey, season: number | null): BoardCopy | null {
    const name = nameOfSeason(board, season);
    const copy = this.#copies.get(name);
    if (copy === undefined) return null;
    this.#copies.delete(name);
    this.#copies.set(name, copy);
    return copy;
  }

  /** The copy, from memory or read from the database; null when there is no such season. */
  async load(board: BoardKey, season: number | null): Promise<BoardCopy | null> {
    const copy = this.peek(board, season);
    if (copy !== null) return copy;
    const name = nameOfSeason(board, season);
    let loading = this.#loading.get(name);
    if (loading === undefined) {
      loading = this.#read(board, season).finally(() => this.#loading.delete(name));
      this.#loading.set(name, loading);
    }
    return loading;
  }

  /**
   * Brings a copy to the state that was read from the database.
   * @param known_version Version of the copy when the database was asked.
   */
  async follow(copy: BoardCopy, known_version: number, state: SeasonState): Promise<Freshness> {
    // A season that is behind a committed version is another one: the board was made again.
    if (copy.season !== state.number || state.version < known_version) return this.#lose(copy);
    if (state.version > copy.version) await copy.writing;
    if (state.version === copy.version) return 'same';
    if (state.version < copy.version) return 'newer';
    const changes = (state.changes ?? []).filter(({ version }) => version > copy.version);
    if (!isChain(copy.version, changes, state.version)) return this.#lose(copy);
    for (const change of changes) this.#advance(copy, change);
    return 'same';
  }

  /** Moves a copy on by changes that this process has committed. */
  advance(copy: BoardCopy, { version, scores }: ScoreChanges): void {
    for (const { entry_number, score, seq } of scores) copy.order.set(entry_number, score, seq);
    copy.version = version;
    this.measure(copy);
  }

  /** To be called when a copy may have grown: drops the oldest copies until all fit in memory. */
  measure(copy: BoardCopy): void {
    if (!this.#isHere(copy)) return;
    const bytes = COPY_BYTES + copy.order.bytes + copy.top.bytes;
    this.#bytes += bytes - copy.bytes;
    copy.bytes = bytes;
    for (const oldest of this.#copies.values()) {
      if (this.#bytes <= this.#max_bytes) return;
      this.#drop(oldest);
    }
  }

  #lose(copy: BoardCopy): 'lost' {
    if (this.#isHere(copy)) this.#drop(copy);
    return 'lost';
  }

  #isHere(copy: BoardCopy): boolean {
    return this.#copies.get(nameOfSeason(copy.board, copy.asked_season)) === copy;
  }

  #advance(copy: BoardCopy, { version, entries }: LoggedChange): void {
    for (const [number, score, seq] of entries) {
      if (score === undefined) copy.order.remove(number);
      else copy.order.set(number, score, seq!);
    }
    copy.version = version;
    this.measure(copy);
  }

  async #read(board: BoardKey, season: number | null): Promise<BoardCopy | null> {
    // Most boards that are not in memory do not exist; one statement shows that.
    if ((await findSeason(this.#database, board, season)) === null) return null;
    const loaded = await readAtOneMoment(this.#database, (tx) => loadOrder(tx, board, season));
    if (loaded === null) return null;
    const { number, version } = loaded.state;
    const copy: BoardCopy = {
      board,
      asked_season: season,
      season: number,
      order: loaded.order,
      top: new TopEntries(),
      version,
      bytes: 0,
      writing: null,
    };
    this.#copies.set(nameOfSeason(board, season), copy);
    this.measure(copy);
    return copy;
  }

  #drop(copy: BoardCopy): void {
    this.#copies.delete(nameOfSeason(copy.board, copy.asked_season));
    this.#bytes -= copy.bytes;
  }
}

/** Whether the changes lead from one version to another without a gap. */
function isChain(from: number, changes: readonly LoggedChange[], to: number): boolean {
  let version = from;
  for (const change of changes) {
    if (change.previous_version !== version) return false;
    version = change.version;
  }
  return version === to;
}
