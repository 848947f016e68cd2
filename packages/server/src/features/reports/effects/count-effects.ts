import { ApiError } from '../../../platform/errors.ts';
import { uncountedEffect } from '../../../platform/definitions/effects.ts';
import type {
  CountEffect,
  EffectQuestion,
  FoundEffect,
} from '../../../platform/definitions/effects.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { createWorkProgress } from '../thread/work-progress.ts';

export interface EffectsInput {
  game_id: string;
  /** The moment at which the counting ends, in milliseconds since 1970. */
  until_ms: number;
  questions: readonly EffectQuestion[];
}

/** The work of one question, in the progress of all. */
const STEPS = 1_000;

/**
 * Answers questions about a plan of definitions, one after the other. The modules of other features answer them;
 * the plan names their files, because features do not import each other.
 * @returns the answers in the order of the questions; null for those for which there was no time.
 */
export async function countEffects(
  database: ExploreDatabase,
  { until_ms, questions }: EffectsInput,
  signal: AbortSignal,
): Promise<(FoundEffect[] | null)[]> {
  const { progress } = database;
  const time_over = AbortSignal.timeout(Math.max(0, until_ms - Date.now()));
  const answers: (FoundEffect[] | null)[] = [];
  progress.expect('effects', questions.length * STEPS);
  for (const question of questions) {
    signal.throwIfAborted();
    if (Date.now() >= until_ms) {
      answers.push(null);
      continue;
    }
    let told = 0;
    const tell = (share: number) => {
      progress.add((share - told) * STEPS);
      told = share;
    };
    const own = { ...database, progress: createWorkProgress(tell) };
    answers.push(await answer(own, question, signal, time_over));
    tell(1);
  }
  return answers;
}

/** @returns null if the time ended meanwhile. */
async function answer(
  database: ExploreDatabase,
  question: EffectQuestion,
  signal: AbortSignal,
  time_over: AbortSignal,
): Promise<FoundEffect[] | null> {
  const { count } = (await import(question.module)) as { count: CountEffect<object> };
  try {
    return await count(database, question.input, AbortSignal.any([signal, time_over]));
  } catch (error) {
    signal.throwIfAborted();
    // The error of a statement that was stopped does not say why it was stopped.
    if (time_over.aborted) return null;
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return [uncountedEffect(question, 'It was not possible', error.body.error)];
  }
}
