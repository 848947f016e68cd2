import type {
  RestorationQuestion,
  SaveRestorationAnswer,
  SaveToRestore,
} from '@overworld/contract/saves/restorations';
import type {
  PlayedOnChoice,
  RestorationState,
} from '@overworld/contract/saves/restoration-limits';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';

/** The key of a restoration. */
export interface RestorationKey extends Tenant {
  restoration_id: string;
}

/** The row of a restoration. A row that is being deleted is none for callers. */
export interface Restoration extends RestorationKey {
  state: RestorationState | 'deleting';
  question: RestorationQuestion;
  played_on: PlayedOnChoice | null;
  problem: string | null;
  created_by: string | null;
  created_at: string;
  counted_at: string | null;
  started_at: string | null;
  ended_at: string | null;
  undo_begun_at: string | null;
  undone_at: string | null;
  after_player_id: string;
  saves_to_count: number | null;
  counted_saves: number;
  counted_players: number;
  player_count: number;
  save_count: number;
  played_on_count: number;
  hopeless_count: number;
  restored_count: number;
  skipped_count: number;
  undone_count: number;
  kept_count: number;
}

/** The state of one save of a restoration. */
export type ItemState = SaveToRestore['state'];

/** SQL that is true for the row, or the saves, of a restoration. */
export const isOfRestoration = ({ restoration_id, ...tenant }: RestorationKey): Sql =>
  sql`${isOfTenant(tenant)} AND restoration_id = ${restoration_id}`;

/** Writes a restoration as answers show it. */
export function toAnswer(row: Restoration): SaveRestorationAnswer {
  const { restoration_id, environment, state, problem, question, played_on } = row;
  const { save_count, played_on_count, hopeless_count, restored_count, skipped_count } = row;
  const { undone_count, kept_count, created_by, created_at, counted_at, started_at } = row;
  const { ended_at, undo_begun_at, undone_at } = row;
  return {
    restoration_id,
    environment,
    state: state as RestorationState,
    problem,
    question,
    played_on,
    words: inWords(row),
    players: { count: row.player_count, of: row.counted_players },
    save_count,
    played_on_count,
    hopeless_count,
    restored_count,
    skipped_count,
    undone_count,
    kept_count,
    progress: progressOf(row),
    created_by,
    created_at,
    counted_at,
    started_at,
    ended_at,
    undo_begun_at,
    undone_at,
  };
}

function progressOf(row: Restoration): SaveRestorationAnswer['progress'] {
  if (row.counted_at === null) {
    return { done: row.counted_saves, of: Math.max(row.saves_to_count ?? 0, row.counted_saves) };
  }
  if (row.undo_begun_at !== null) {
    return { done: row.undone_count + row.kept_count, of: row.restored_count };
  }
  const done = row.restored_count + row.skipped_count;
  return { done, of: Math.max(done, row.save_count - row.hopeless_count) };
}

const many = (count: number, thing: string): string =>
  `${count.toLocaleString('en-US')} ${thing}${count === 1 ? '' : 's'}`;

function inWords(row: Restoration): string {
  const { player_count, counted_players, save_count, played_on_count, hopeless_count } = row;
  const of = many(counted_players, 'player');
  if (save_count === 0) return `None of ${of} has a bad save.`;
  const has = player_count === 1 ? 'has' : 'have';
  const words = [
    `${player_count.toLocaleString('en-US')} of ${of} ${has} ${many(save_count, 'bad save')}.`,
  ];
  if (played_on_count > 0) {
    words.push(
      `${played_on_count.toLocaleString('en-US')} of these saves belong${played_on_count === 1 ? 's' : ''} to players who have played on since.`,
    );
  }
  if (hopeless_count > 0) {
    words.push(`Of ${hopeless_count.toLocaleString('en-US')} no good version is kept.`);
  }
  return words.join(' ');
}
