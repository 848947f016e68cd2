import type { Clock } from '../../../platform/clock.ts';
import { createBatcher } from '../../../platform/batcher.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { BoardCopies, BoardCopy } from '../copies/board-copies.ts';
import type { ChangeTrimmer } from './change-trimmer.ts';
import { lockSeasons, storeScores } from './change-store.ts';
import type { Submit } from './ranking.ts';
import type { BoardKey, Entry } from '../store.ts';
import { answerGroup, decideGroups } from './submit-round.ts';
import type { Decided, Group } from './submit-round.ts';

/** The stored entry after a submit. */
export interface Submitted {
  entry: Entry;
  rank: number;
  total_entries: number;
  is_new: boolean;
  /** Whether the submit changed it. */
  updated: boolean;
}

export interface ScoreWriter {
  /** Resolves when what follows from the submit is committed. */
  submit(submit: Submit): Promise<Submitted>;
  /** Refuses new submits and resolves when all accepted ones are settled. */
  close(): Promise<void>;
}

export interface ScoreWriterServices {
  hot: Database;
  copies: BoardCopies;
  trimmer: ChangeTrimmer;
  clock: Clock;
  /** Makes the board if there is none, and begins the season that is due. */
  openSeason: (board: BoardKey) => Promise<void>;
}

export type Results = (Submitted | Error)[];

/**
 * Batches submits: one statement reads the boards and the players' entries, the rules decide, one
 * statement stores what is better. It stores a board's changes only if its season is still at the
 * version that was read; a group that another server has overtaken is decided anew with the season
 * locked. A submit that is not better takes no lock and writes nothing. Ranks come from the copies,
 * which are then at the version that was read or stored.
 */
export function createScoreWriter(services: ScoreWriterServices): ScoreWriter {
  const { copies } = services;
  const batcher = createBatcher<Submit, Submitted>({
    name: 'scores',
    max_batch_size: 500,
    max_queue_length: 20_000,
    async flush(submits) {
      const results: Results = [];
      let open = await settle(services, groupByBoard(submits), results);
      while (open.length > 0) {
        try {
          open = await settle(services, open, results);
        } catch (error) {
          // Others of the batch are committed: it must not be taken for one that changed nothing.
          for (const place of open.flatMap(({ places }) => places)) results[place] = error as Error;
          break;
        }
      }
      return results;
    },
  });

  return {
    async submit(submit) {
      // A large board that is not in memory must not hold up the others of a batch.
      if (copies.peek(submit.board, null) === null) await copies.load(submit.board, null);
      return batcher.submit(submit);
    },
    close: () => batcher.close(),
  };
}

function groupByBoard(submits: readonly Submit[]): Group[] {
  const groups = new Map<string, Group>();
  submits.forEach((submit, place) => {
    const { board } = submit;
    const name = `${board.game_id} ${board.environment} ${board.board_name}`;
    let group = groups.get(name);
    if (group === undefined) {
      group = { name, board, submits: [], places: [], overtaken: false };
      groups.set(name, group);
    }
    group.submits.push(submit);
    group.places.push(place);
  });
  return [...groups.values()];
}

/**
 * Decides the submits of each group and stores what follows from them; fills in the results.
 * @returns the groups, or the rest of them, that need another round.
 */
async function settle(
  services: ScoreWriterServices,
  unsorted: readonly Group[],
  results: Results,
): Promise<Group[]> {
  const { hot, copies, trimmer } = services;
  // The order in which all servers lock seasons.
  const groups = unsorted.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const loaded = await Promise.all(groups.map(({ board }) => copies.load(board, null)));
  const { promise: settled, resolve: release } = Promise.withResolvers<void>();
  const writing: BoardCopy[] = [];

  const decideAndStore = async (database: Queryable) => {
    const round = await decideGroups(services, database, groups, loaded);
    const changed = round.decided.filter(({ changes }) => changes !== null);
    for (const { copy } of changed) {
      copy!.writing = settled;
      writing.push(copy!);
    }
    const changes = changed.map((decided) => decided.changes!);
    const places = changes.length === 0 ? null : await storeScores(database, changes);
    const stored = new Set<Decided>(changed.filter((_, place) => places!.has(place)));
    return { ...round, stored };
  };

  try {
    const { decided, stored, open, unopened } = await (groups.some(({ overtaken }) => overtaken)
      ? hot.transaction(async (tx) => {
          const seasons = loaded.filter((copy) => copy !== null);
          await lockSeasons(
            tx,
            seasons.map(({ board, season }) => ({ ...board, season })),
          );
          return decideAndStore(tx);
        })
      : decideAndStore(hot));
    for (const { copy, changes } of stored) {
      copies.advance(copy!, changes!);
      trimmer.note(changes!.season);
    }
    for (const each of decided) {
      const rest = answerGroup(each, stored.has(each), results);
      if (rest !== null) open.push(rest);
    }
    return [...open, ...(await openSeasons(services, unopened, results))];
  } finally {
    for (const copy of writing) copy.writing = null;
    release();
  }
}

/** Opens what is due; a group whose board cannot be opened fails alone. */
async function openSeasons(
  { openSeason }: ScoreWriterServices,
  groups: readonly Group[],
  results: Results,
): Promise<Group[]> {
  const opened = await Promise.allSettled(groups.map(({ board }) => openSeason(board)));
  return groups.filter((group, index) => {
    const outcome = opened[index]!;
    if (outcome.status === 'fulfilled') return true;
    for (const place of group.places) results[place] = outcome.reason as Error;
    return false;
  });
}
