import type { BoardCopy } from '../copies/board-copies.ts';
import { RankOrder } from '../copies/rank-order.ts';
import { TopEntries } from '../pages/entry-cache.ts';
import type { BoardKey, LoggedChange, SeasonState } from '../store.ts';
import { EMPTY_POLICY } from '../rules.ts';

export const UNBOUNDED = { min_score: null, max_score: null };

/** Makes a copy of a board in its third season, with two entries and the given version. */
export const makeCopy = (board: BoardKey, version: number): BoardCopy => {
  const [scores, seqs] = [Float64Array.of(10, 20), Float64Array.of(1, 2)];
  const order = new RankOrder('descending', scores, seqs, Uint32Array.of(1, 0));
  const top = new TopEntries();
  return {
    board,
    asked_season: null,
    season: 3,
    order,
    top,
    version,
    bounds: UNBOUNDED,
    policy: null,
    ends_at: null,
    is_shared: false,
    bytes: 0,
    writing: null,
  };
};

/** Makes the stored state of the same season. `changes` are the changes that are still in the board's log. */
export const makeState = (version: number, changes: LoggedChange[] | null): SeasonState => ({
  number: 3,
  sort_order: 'descending',
  version,
  total_entries: 2,
  next_entry_number: 2,
  next_seq: 3,
  ends_at: null,
  followed_ms: null,
  changes,
  policy: EMPTY_POLICY,
});
