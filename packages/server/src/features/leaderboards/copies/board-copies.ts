import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { TopEntries } from '../pages/entry-cache.ts';
import { loadOrder } from './load-order.ts';
import type { RankOrder } from './rank-order.ts';
import { nameOfSeason, readAtOneMoment } from '../store.ts';
import type { BoardKey, Bounds, EntryChange, LoggedChange, SeasonState } from '../store.ts';
import { withoutEmpty } from '../rules.ts';
import type { BoardPolicy } from '../rules.ts';
import { MIN_FOLLOWED_MS, logChanges } from './followed-seasons.ts';

/**
 * The ranks of one season of a board, in the memory of this process. They are exact for the season's
 * `version`.
 */
export interface BoardCopy {
  readonly board: BoardKey;
  /**
   * The season for which the copy is looked up: a number that a request named, or null for the current
   * season.
   */
  readonly asked_season: number | null;
  readonly season: number;
  readonly order: RankOrder;
  readonly top: TopEntries;
  version: number;
  /** The settings of the board at this version. */
  bounds: Bounds;
  /** The policy of the board at this version; null without rules, ledger, bans and waiting scores. */
  policy: BoardPolicy | null;
  ends_at: number | null;
  /** True if another server has made the latest change. */
  is_shared: boolean;
  /** The size of the copy when it was last measured. */
  bytes: number;
  /** Resolves when the submits in progress are stored. Until then, only these submits may change the copy. */
  writing: Promise<unknown> | null;
}

/** The bytes of a copy without its order and its top: the names, and the objects around typed arrays. */
const COPY_BYTES = 1_200;

/** How a copy compares with a version that was read from the database. */
type Freshness =
  /** The copy is at this version. */
  | 'same'
  /** The copy is past this version. */
  | 'newer'
  /** No chain of changes leads from the copy to this version, so the copy is dropped. */
  | 'lost';

/**
 * Copies of the boards in use. If they take more than `max_bytes`, the least recently used ones are dropped.
 * The database always decides: a copy only applies changes that this process has committed, and changes that
 * other processes have committed and logged. Submits are logged only while another process follows the
 * season, so a single process logs none.
 */
export class BoardCopies {
  readonly #database: GroupedDatabase;
  readonly #max_bytes: number;
  readonly #copies = new Map<string, BoardCopy>();
  readonly #loading = new Map<string, Promise<BoardCopy | null>>();
  #bytes = 0;

  constructor(database: GroupedDatabase, max_bytes: number) {
    this.#database = database;
    this.#max_bytes = max_bytes;
  }

  /** Returns the copy of a season (null for the current season) if it is in memory, otherwise null. */
  peek(board: BoardKey, season: number | null): BoardCopy | null {
    const name = nameOfSeason(board, season);
    const copy = this.#copies.get(name);
    if (copy === undefined) return null;
    this.#copies.delete(name);
    this.#copies.set(name, copy);
    return copy;
  }

  /** Gets the copy from memory, or loads it from the database. @returns null when there is no such season. */
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
   * Brings a copy to the state that was read from the database. If changes are missing in the log, all
   * servers log the changes of this season from now on.
   * @param known_version The version of the copy at the time when the database was read.
   */
  async follow(
    copy: BoardCopy,
    known_version: number,
    { min_score, max_score }: Bounds,
    state: SeasonState,
  ): Promise<Freshness> {
    // The season in the database may have a lower version than a change that was committed already. Then it
    // is a different season, because the board was deleted and made again.
    if (copy.season !== state.number || state.version < known_version) return this.#lose(copy);
    if (state.version > copy.version) await copy.writing;
    copy.is_shared = state.version > copy.version;
    if (state.version === copy.version) return 'same';
    if (state.version < copy.version) return 'newer';
    const changes = (state.changes ?? []).filter(({ version }) => version > copy.version);
    const isComplete = isChain(copy.version, changes, state.version);
    if (!isComplete || (state.followed_ms ?? Infinity) < MIN_FOLLOWED_MS) {
      // The call asks all servers to log the changes. If the call fails, the whole copy must be loaded again
      // the next time too.
      void logChanges(this.#database.ofGame(copy.board.game_id), copy).catch(() => undefined);
    }
    if (!isComplete) return this.#lose(copy);
    for (const change of changes) this.advance(copy, change);
    copy.bounds = { min_score, max_score };
    copy.policy = withoutEmpty(state.policy!);
    copy.ends_at = state.ends_at;
    return 'same';
  }

  /** Applies a committed change to a copy. */
  advance(copy: BoardCopy, change: { version: number; entries: readonly EntryChange[] }): void {
    const { bytes } = copy.order;
    for (const [number, score, seq, tie_value = null] of change.entries) {
      if (score === undefined) copy.order.remove(number);
      else copy.order.set(number, score, seq!, tie_value);
    }
    copy.version = change.version;
    if (copy.order.bytes !== bytes) this.measure(copy);
  }

  /**
   * Measures a copy, which may have grown. Drops the least recently used copies until the remaining ones fit
   * into `max_bytes`.
   */
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

  /** Drops a copy, so that it is loaded again when it is next needed. */
  forget(copy: BoardCopy): void {
    if (this.#isHere(copy)) this.#drop(copy);
  }

  #lose(copy: BoardCopy): 'lost' {
    this.forget(copy);
    return 'lost';
  }

  #isHere(copy: BoardCopy): boolean {
    return this.#copies.get(nameOfSeason(copy.board, copy.asked_season)) === copy;
  }

  async #read(board: BoardKey, season: number | null): Promise<BoardCopy | null> {
    const database = this.#database.ofGame(board.game_id);
    const loaded = await readAtOneMoment(database, (tx) => loadOrder(tx, board, season));
    if (loaded === null) return null;
    const { number, version, policy, ends_at } = loaded.state;
    const copy: BoardCopy = {
      board,
      asked_season: season,
      season: number,
      order: loaded.order,
      top: new TopEntries(),
      version,
      bounds: loaded.bounds,
      policy: withoutEmpty(policy!),
      ends_at,
      is_shared: false,
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

/** Tells whether the changes lead from one version to another without a gap. */
function isChain(from: number, changes: readonly LoggedChange[], to: number): boolean {
  let version = from;
  for (const change of changes) {
    if (change.previous_version !== version) return false;
    version = change.version;
  }
  return version === to;
}
