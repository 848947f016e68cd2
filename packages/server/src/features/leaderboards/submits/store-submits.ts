import type { RequestGroup } from '../../../platform/batch/batcher.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { BoardCopy } from '../copies/board-copies.ts';
import { nextVersion } from '../store.ts';
import type { BoardKey, Entry, EntryChange, Raised } from '../store.ts';
import { storeWrites } from './change-store.ts';
import type { NewScore, SeasonWrites } from './change-store.ts';
import { decideSubmits } from './decide-submits.ts';
import type {
  PlayerDecision,
  PlayerState,
  PlayerSubmits,
  StoredScore,
  Submit,
} from './decide-submits.ts';
import { ranksBefore } from '../tie-break.ts';
import { findKeys, withKeys } from './submit-keys.ts';
import { readAndImprove } from './player-states.ts';
import type { FoundBoard } from './player-states.ts';

/** The submits of a batch to one board. */
export interface BoardSubmits extends RequestGroup<Submit> {
  copy: BoardCopy;
  /**
   * `read`: another server was faster, so the state of the board is read before the next try. `lock`:
   * another server was faster a second time, so the season is locked for the next try.
   */
  needs: 'nothing' | 'read' | 'lock';
}

export const boardOf = ({ requests }: BoardSubmits): BoardKey => requests[0]!.board;

/**
 * Submits to one board, decided by this server's copy of the board. They are stored only if the season in the
 * database still has the version of the copy.
 */
export interface Attempt {
  submits: BoardSubmits;
  copy: BoardCopy;
  /** The copy's version. */
  version: number;
  /** Submits that are not stored, such as those outside the bounds of the board. */
  refused: { place: number; error: Error }[];
  players: PlayerSubmits[];
}

/**
 * An attempt whose statements have run. If the statements ran in a
 * transaction, the changes of the attempt hold only after the commit.
 */
export interface Outcome extends Attempt {
  /** The changes of the season, in the order of their versions. */
  changes: { version: number; is_followed: boolean; entries: EntryChange[] }[];
  decided: Decided[];
  /**
   * The submits to store again, because another server has
   * changed the board meanwhile; null if there are none.
   */
  rest: BoardSubmits | null;
}

/** The submits of a player that are stored, and the entry that the player sees after them. */
export interface Decided {
  accepted: PlayerDecision['accepted'];
  /** The submit that the entry shows; null if none of these submits is better than the entry before. */
  best: Submit | null;
  is_new: boolean;
  entry: Omit<Entry, 'seq'>;
  /** Set for a score that only its player sees; `seq` gives its place among equal scores. */
  hidden: { seq: number; has_public_entry: boolean } | null;
}

/** The decisions about the submits to one board. */
interface BoardDecisions {
  outcome: Outcome;
  /** The rows that are left to store. */
  writes: SeasonWrites;
  /** The players to whom these rows belong. */
  open: OpenPlayer[];
}

interface OpenPlayer {
  player: PlayerSubmits;
  state: PlayerState;
  decision: PlayerDecision;
  entry: NewScore | null;
  waiting: NewScore | null;
}

/**
 * Stores submits in three steps: one statement reads the players, `decideSubmits` decides their submits, and
 * one statement stores the decisions. On a board without rules, the first statement also stores the scores
 * that are better than their entries, so only first scores are left for the second one. Each statement
 * changes a season only if it is at the version that the one before it has left.
 * @param is_in_transaction True if both statements are committed together later. If it is false, a failure of
 * the second statement leaves the better scores stored, and only the submits that it was to store fail.
 */
export async function storeSubmits(
  database: Queryable,
  attempts: readonly Attempt[],
  now: Date,
  is_in_transaction: boolean,
): Promise<Outcome[]> {
  const updated_at = now.toISOString();
  const asked = attempts.map(({ submits, copy, version, players }) => ({
    season: { ...boardOf(submits), season: copy.season },
    version,
    next_version: nextVersion(version),
    policy: copy.policy,
    players,
  }));
  const has_keys = asked.some(({ policy }) => policy !== null && policy.keeps !== 'best');
  const keys = has_keys ? await findKeys(database, asked, now) : null;
  const found = await readAndImprove(database, asked, updated_at);
  const boards = attempts.map((attempt, board) =>
    decideBoard(
      attempt,
      asked[board]!.next_version,
      keys === null ? found[board]! : withKeys(found[board]!, keys[board]),
      now,
    ),
  );
  const outcomes = boards.map(({ outcome }) => outcome);

  const writing = boards.filter(({ open }) => open.length > 0);
  if (writing.length === 0) return outcomes;
  let raised: (Raised | null)[];
  try {
    raised = await storeWrites(
      database,
      writing.map(({ writes }) => writes),
      updated_at,
    );
  } catch (error) {
    if (is_in_transaction || outcomes.every(({ changes }) => changes.length === 0)) throw error;
    for (const { outcome, open } of writing) {
      const places = open.flatMap(({ player }) => player.places);
      outcome.refused.push(...places.map((place) => ({ place, error: error as Error })));
    }
    return outcomes;
  }
  for (const [index, board] of writing.entries()) addStored(board, raised[index]!, updated_at);
  return outcomes;
}

/** @param next_version The version of the season if the first statement has changed it. */
function decideBoard(
  attempt: Attempt,
  next_version: number,
  found: FoundBoard,
  now: Date,
): BoardDecisions {
  const { submits, copy, version, players } = attempt;
  const outcome: Outcome = { ...attempt, changes: [], decided: [], rest: null };
  const writes: SeasonWrites = {
    season: { ...boardOf(submits), season: copy.season },
    version,
    next_version,
    seq_count: 0,
    improved: [],
    added: [],
    waiting: [],
    ledger: [],
    keys: [],
    has_ties: copy.order.tie_break !== 'none',
  };
  const board: BoardDecisions = { outcome, writes, open: [] };
  if (found === 'overtaken' || found === 'locked') {
    const is_first = found === 'overtaken' && submits.needs === 'nothing';
    outcome.refused = [];
    outcome.rest = { ...submits, needs: is_first ? 'read' : 'lock' };
    return board;
  }
  const { is_followed } = found;
  const updated_at = now.toISOString();
  const improved: EntryChange[] = [];
  for (const [place, player] of players.entries()) {
    const state = found.players[place]!;
    const decision = decideSubmits(copy.policy, copy.order.sort_order, player, state, now);
    const { entry, waiting, ledger, keys } = decision;
    if (state.stored_seq !== null) {
      improved.push([state.entry!.entry_number, entry!.score, state.stored_seq]);
    } else if (entry !== null || waiting !== null || ledger.length > 0 || keys.length > 0) {
      addWrites(board, player, state, decision);
      continue;
    }
    addDecided(outcome, state, decision, null, updated_at);
  }
  if (is_followed !== null) {
    outcome.changes.push({ version: next_version, is_followed, entries: improved });
    writes.version = next_version;
    writes.next_version = nextVersion(next_version);
  }
  return board;
}

/** Adds the rows of a player to those that are left to store. */
function addWrites(
  { writes, open }: BoardDecisions,
  player: PlayerSubmits,
  state: PlayerState,
  decision: PlayerDecision,
): void {
  const toScore = (submit: Submit): NewScore => ({ submit, seq_offset: writes.seq_count++ });
  const entry = decision.entry && toScore(decision.entry);
  if (entry !== null) (state.entry === null ? writes.added : writes.improved).push(entry);
  const waiting = decision.waiting && toScore(decision.waiting.submit);
  if (waiting !== null) {
    const is_stranger = state.entry === null;
    writes.waiting.push({ ...waiting, ...decision.waiting!, is_stranger });
  }
  writes.ledger.push(...decision.ledger);
  for (const once of decision.keys) writes.keys.push({ ...once, player_id: player.player_id });
  open.push({ player, state, decision, entry, waiting });
}

/** Adds the change and the answers of the second statement to the outcome of a board. */
function addStored(
  { outcome, writes, open }: BoardDecisions,
  raised: Raised | null,
  updated_at: string,
): void {
  // Another server has changed the board.
  if (raised === null) {
    const requests = open.flatMap(({ player }) => player.requests);
    const places = open.flatMap(({ player }) => player.places);
    outcome.rest = { ...outcome.submits, requests, places, needs: 'lock' };
    return;
  }
  const { first_seq, first_entry_number, is_followed } = raised;
  const changes: EntryChange[] = [];
  let added = 0;
  for (const { state, decision, entry, waiting } of open) {
    const entry_number = state.entry?.entry_number ?? first_entry_number + added;
    if (entry !== null) {
      if (state.entry === null) added++;
      const { score, tie_value } = entry.submit;
      changes.push([entry_number, score, first_seq + entry.seq_offset, tie_value]);
    }
    const waiting_seq = first_seq + (waiting?.seq_offset ?? 0);
    addDecided(outcome, state, decision, { entry_number, waiting_seq }, updated_at);
  }
  if (writes.waiting.length > 0) {
    outcome.copy.policy = { ...outcome.copy.policy!, has_waiting: true };
  }
  outcome.changes.push({ version: writes.next_version, is_followed, entries: changes });
}

/** Adds the answers for a player. @param numbers The numbers of the rows that the second statement stored. */
function addDecided(
  outcome: Outcome,
  state: PlayerState,
  { player_id, entry, waiting, accepted, refused }: PlayerDecision,
  numbers: { entry_number: number; waiting_seq: number } | null,
  updated_at: string,
): void {
  outcome.refused.push(...refused);
  if (accepted.length === 0) return;
  const entry_number = state.entry?.entry_number ?? numbers?.entry_number ?? 0;
  const own = entry === null ? state.entry : mergeScore(entry, state.entry, updated_at);
  const hidden =
    waiting === null ? state.waiting : mergeScore(waiting.submit, state.waiting, updated_at);
  const shows_hidden =
    hidden !== null && (own === null || ranksBefore(outcome.copy.order, hidden, own));
  const { score, tie_value, player_name, metadata, reached_at } = shows_hidden ? hidden : own!;
  outcome.decided.push({
    accepted,
    best: (shows_hidden ? waiting?.submit : entry) ?? null,
    is_new: state.entry === null && state.waiting === null,
    entry: {
      player_id,
      entry_number,
      score,
      tie_value,
      player_name,
      metadata,
      updated_at: reached_at,
    },
    hidden: shows_hidden
      ? {
          seq: waiting === null ? state.waiting!.seq : numbers!.waiting_seq,
          has_public_entry: own !== null,
        }
      : null,
  });
}

/** A submit without a name or metadata keeps those of the score that it replaces. */
const mergeScore = (
  { score, tie_value, player_name, metadata }: Submit,
  before: StoredScore | null,
  reached_at: string,
): StoredScore => ({
  score,
  tie_value,
  player_name: player_name ?? before?.player_name ?? null,
  metadata: metadata ?? before?.metadata ?? null,
  reached_at,
});
