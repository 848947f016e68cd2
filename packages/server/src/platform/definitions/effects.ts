import type { Environment } from '@overworld/contract/common';
import { EFFECT_DAYS } from '@overworld/contract/definitions/effects';
import type { Effect } from '@overworld/contract/definitions/effects';
import type { Trial } from '@overworld/contract/definitions/trials';
import type { Role } from '@overworld/contract/operation';
import { formatShare } from '@overworld/contract/percents';
import type { Sql } from '../database/sql.ts';

/** An effect without the definition whose change it is of. */
export type FoundEffect = Omit<Effect, 'kind' | 'key' | 'numbers'> & {
  numbers: Record<string, number>;
  /** Only if a definition is tried, and its rule is about players. */
  players?: Trial['players'];
  /** Only if a definition is tried. */
  examples?: Trial['examples'];
};

/**
 * A question about the players, events or submits of a game. It is answered in the thread of reports, because
 * that may take seconds of CPU time.
 */
export interface EffectQuestion {
  /** The address of the module whose function `count` answers it. */
  module: string;
  /** The question, as data that can be sent to a thread. */
  input: object;
  /** The role that a member needs to see the answer. By default, whoever may plan sees it. */
  role?: Role;
  /** The effect if it is not counted. `words` is the end of a sentence, such as `the players who …`. */
  uncounted: Pick<FoundEffect, 'about' | 'environment' | 'part' | 'words'>;
}

/** The database of the game in the thread of reports, with low priority. */
export interface EffectDatabase {
  /** @throws when the signal stops the statement. */
  query<Row extends object>(statement: Sql, signal: AbortSignal): Promise<Row[]>;
  readonly progress: {
    /** Announces how many rows will be read, once for each part. */
    expect(part: string, rows: number): void;
    /** Adds to the number of rows that have been read. */
    add(rows: number): void;
  };
}

/**
 * Answers a question.
 * @param late Aborted when the time is over, or the caller is gone. The function then throws, or returns what
 * it has counted exactly so far, with the state `partial`.
 */
export type CountEffect<Input extends object> = (
  database: EffectDatabase,
  input: Input,
  late: AbortSignal,
) => Promise<FoundEffect[]>;

/**
 * Makes the effect for a question that was not answered.
 * @param reason The beginning of the sentence, such as `There was no time`.
 * @param details Further words about the reason.
 */
export const uncountedEffect = (
  { uncounted: { words, ...rest } }: EffectQuestion,
  reason: string,
  details?: string,
): FoundEffect => ({
  ...rest,
  state: 'uncounted',
  numbers: {},
  words: `${reason} to count ${words}${details === undefined ? '' : `: ${details}`}.`,
});

/** The environments of a question: that of a trial, or both. */
export const environmentsOf = ({
  tried_in,
}: {
  tried_in: Environment | null;
}): readonly Environment[] => (tried_in === null ? PRODUCTION_FIRST : [tried_in]);

/** The environments in the order in which they are counted: if the time ends, those of the players matter more. */
export const PRODUCTION_FIRST: readonly Environment[] = ['production', 'development'];

/** Writes a number for a sentence, such as `41,880`. */
export const inWords = (count: number): string => count.toLocaleString('en');

/** The time of the effects, for sentences. */
export const LATELY = `in the last ${EFFECT_DAYS} days`;

/** Writes a share for a sentence, such as `3.2%`. Only none is 0%, and only all are 100%. */
export function shareInWords(count: number, all: number): string {
  const share = count / all;
  if (count > 0 && share < 0.001) return 'less than 0.1%';
  return formatShare(count === all ? 1 : Math.min(0.999, share));
}
