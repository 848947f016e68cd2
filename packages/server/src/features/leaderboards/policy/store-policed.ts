import type { Queryable } from '../../../platform/database/database.ts';
import { nextVersion } from '../seasons/season-versions.ts';
import type { Raised } from '../seasons/season-versions.ts';
import type { EntryChange } from '../store.ts';
import { isBetter } from '../submits/ranking.ts';
import type { Submit } from '../submits/ranking.ts';
import { retryAll } from '../submits/store-attempts.ts';
import type { Decided, Outcome } from '../submits/store-attempts.ts';
import { boardOf } from '../submits/submit-round.ts';
import type { Attempt } from '../submits/submit-round.ts';
import { decideSubmits } from './decide-submits.ts';
import type { PlayerDecision, PlayerState } from './decide-submits.ts';
import { findPlayerStates } from './player-states.ts';
import type { BoardPolicy } from './policy.ts';
import { storeDecisions } from './policed-store.ts';
import type { HeldScore, NewScore, SeasonDecisions } from './policed-store.ts';

/** An attempt to store submits to a board that has a policy. */
export type PolicedAttempt = Attempt & { copy: { policy: BoardPolicy } };

/** The decisions about the submits to one board, before they are stored and answered. */
interface BoardDecisions extends SeasonDecisions {
  outcome: Outcome;
  decided: { decision: PlayerDecision; state: PlayerState }[];
  added: NewScore[];
  held: HeldScore[];
  improved: NewScore[];
}

/**
 * Decides whether submits to boards with policies are accepted, and stores the decisions. One statement reads
 * the players, and another stores all decisions. If another server has changed a board meanwhile, the submits
 * to that board are decided again.
 */
export async function storePoliced(
  database: Queryable,
  attempts: readonly PolicedAttempt[],
  now: Date,
): Promise<Outcome[]> {
  if (attempts.length === 0) return [];
  const found = await findPlayerStates(
    database,
    attempts.map(({ submits, copy, version, players }) => ({
      season: { ...boardOf(submits), season: copy.season },
      version,
      policy: copy.policy,
      player_ids: players.map(({ player_id }) => player_id),
    })),
  );
  const boards = attempts.map((attempt, board) => decideBoard(attempt, found[board]!, now));
  const writing = boards.filter(({ seq_count, ledger }) => seq_count > 0 || ledger.length > 0);
  const updated_at = now.toISOString();
  const raised = await storeDecisions(database, writing, updated_at);
  for (const board of boards) {
    const index = writing.indexOf(board);
    addOutcome(board, index < 0 ? null : raised[index]!, index >= 0, updated_at);
  }
  return boards.map(({ outcome }) => outcome);
}

function decideBoard(
  attempt: PolicedAttempt,
  states: PlayerState[] | null,
  now: Date,
): BoardDecisions {
  const { submits, copy, version, players } = attempt;
  const { policy, order } = copy;
  const outcome: Outcome = {
    ...attempt,
    refused: [...attempt.refused],
    changes: [],
    decided: [],
    rest: null,
  };
  const board: BoardDecisions = {
    outcome,
    season: { ...boardOf(submits), season: copy.season },
    version,
    next_version: nextVersion(version),
    seq_count: 0,
    improved: [],
    added: [],
    held: [],
    ledger: [],
    decided: [],
  };
  if (players.length === 0) return board;
  // Another server has changed the board.
  if (states === null) {
    retryAll(outcome, submits.needs === 'nothing' ? 'read' : 'lock');
    return board;
  }
  const ledger: PlayerDecision['ledger'] = [];
  for (const [place, player] of players.entries()) {
    const state = states[place]!;
    const decision = decideSubmits(policy, order.sort_order, player, state, now.getTime());
    const { player_id, entry, waiting } = decision;
    const toScore = ({ score, player_name, metadata }: Submit): NewScore => ({
      player_id,
      score,
      seq_offset: board.seq_count++,
      player_name,
      metadata,
    });
    if (entry !== null) (state.entry === null ? board.added : board.improved).push(toScore(entry));
    if (waiting !== null) {
      const is_stranger = state.entry === null;
      board.held.push({ ...toScore(waiting.submit), waiting, is_stranger });
    }
    ledger.push(...decision.ledger);
    outcome.refused.push(...decision.refused);
    board.decided.push({ decision, state });
  }
  return { ...board, ledger };
}

/** Adds the changes and the answers to the outcome of a board, once its decisions are stored. */
function addOutcome(
  board: BoardDecisions,
  raised: Raised | null,
  is_written: boolean,
  updated_at: string,
): void {
  const { outcome, decided, next_version } = board;
  if (outcome.rest !== null) return;
  if (is_written && raised === null) {
    retryAll(outcome, 'lock');
    return;
  }
  const { first_seq, first_entry_number, is_followed } = raised ?? NOT_RAISED;
  const { sort_order } = outcome.copy.order;
  const offsets = (scores: readonly NewScore[]) =>
    new Map(scores.map(({ player_id, seq_offset }) => [player_id, seq_offset]));
  const public_offsets = offsets([...board.improved, ...board.added]);
  const held_offsets = offsets(board.held);
  const changes: EntryChange[] = [];
  let added = 0;
  for (const { decision, state } of decided) {
    const { player_id, entry, waiting, accepted } = decision;
    let own = state.entry;
    if (entry !== null) {
      const entry_number = state.entry?.entry_number ?? first_entry_number + added++;
      const seq = first_seq + public_offsets.get(player_id)!;
      changes.push([entry_number, entry.score, seq]);
      own = { entry_number, seq, ...mergeScore(entry, state.entry), reached_at: updated_at };
    }
    let hidden = state.waiting;
    if (waiting !== null) {
      const seq = first_seq + held_offsets.get(player_id)!;
      hidden = { seq, ...mergeScore(waiting.submit, state.waiting), reached_at: updated_at };
    }
    if (accepted.length === 0) continue;
    const shows_hidden =
      hidden !== null && (own === null || isBetter(sort_order, hidden.score, own.score));
    const shown = shows_hidden ? hidden! : own!;
    const setter = shows_hidden ? waiting?.submit : entry;
    const was_there = state.entry !== null || state.waiting !== null;
    outcome.decided.push({
      player: {
        player_id,
        requests: accepted.map(({ submit }) => submit),
        places: accepted.map(({ place }) => place),
        best: setter ?? accepted[0]!.submit,
      },
      kind: setter ? (was_there ? 'improved' : 'new') : 'kept',
      entry: { player_id, ...toEntry(shown), entry_number: own?.entry_number ?? 0 },
      ...(shows_hidden ? { hidden: { seq: shown.seq, has_public_entry: own !== null } } : {}),
    } satisfies Decided);
  }
  if (raised !== null) {
    const { copy } = outcome;
    if (board.held.length > 0) copy.policy = { ...copy.policy!, has_waiting: true };
    outcome.changes.push({ version: next_version, is_followed, entries: changes });
  }
}

const NOT_RAISED: Raised = { first_seq: 0, first_entry_number: 0, is_followed: false };

const mergeScore = (
  { score, player_name, metadata }: Submit,
  before: { player_name: string | null; metadata: string | null } | null,
) => ({
  score,
  player_name: player_name ?? before?.player_name ?? null,
  metadata: metadata ?? before?.metadata ?? null,
});

const toEntry = ({
  score,
  player_name,
  metadata,
  reached_at,
}: NonNullable<PlayerState['waiting']>) => ({
  score,
  player_name,
  metadata,
  updated_at: reached_at,
});
