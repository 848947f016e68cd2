import type { PlayedOnChoice } from '@overworld/contract/saves/restoration-limits';
import type {
  RestorationQuestion,
  SaveRestorationAnswer,
  SaveToRestore,
} from '@overworld/contract/saves/restorations';
import { many, progressOf, sharedAnswer } from '../../../platform/restorations/restoration.ts';
import type { RestorationRow } from '../../../platform/restorations/restoration.ts';

/** The row of a restoration of saves. */
export interface Restoration extends RestorationRow {
  question: RestorationQuestion;
  played_on: PlayedOnChoice | null;
  saves_to_count: number | null;
  counted_saves: number;
  save_count: number;
  played_on_count: number;
  hopeless_count: number;
}

/** The state of one save of a restoration. */
export type ItemState = SaveToRestore['state'];

/** Writes a restoration as answers show it. */
export function toAnswer(row: Restoration): SaveRestorationAnswer {
  const { question, played_on, save_count, played_on_count, hopeless_count } = row;
  const { counted_saves, saves_to_count } = row;
  const counted = { done: counted_saves, of: saves_to_count ?? 0 };
  return {
    ...sharedAnswer(row),
    question,
    played_on,
    words: inWords(row),
    save_count,
    played_on_count,
    hopeless_count,
    progress: progressOf(row, counted, save_count - hopeless_count),
  };
}

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
