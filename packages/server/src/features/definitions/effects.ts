import { EFFECT_DAYS, MAX_EFFECTS_S } from '@overworld/contract/definitions/effects';
import type { Effect } from '@overworld/contract/definitions/effects';
import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Environment } from '@overworld/contract/common';
import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';
import type { TokenRole } from '@overworld/contract/operation';
import { hasRole } from '../../platform/auth/accounts.ts';
import type { Database } from '../../platform/database/database.ts';
import type {
  DefinitionKinds,
  DefinitionsByKey,
} from '../../platform/definitions/definition-kind.ts';
import { uncountedEffect } from '../../platform/definitions/effects.ts';
import type { EffectQuestion, FoundEffect } from '../../platform/definitions/effects.ts';
import type { ListUses } from '../../platform/definition-uses.ts';
import { ApiError } from '../../platform/errors.ts';
import { createPauses } from '../../platform/pauses.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import type { OwnerPath } from '../../platform/queue/fair-queue.ts';
import type { Plan } from './compare.ts';
import type { Planned } from './machine.ts';
import { listUseEffects } from './use-effects.ts';

/** Questions about one game. */
export interface EffectsInput {
  game_id: string;
  /** The moment at which the counting ends, in milliseconds since 1970. */
  until_ms: number;
  questions: EffectQuestion[];
}

/** The caller for whom effects are counted. */
export interface Asker {
  owner: OwnerPath;
  signal: AbortSignal;
  onShare?: ((share: number) => void) | undefined;
}

/** The parts that answer questions. */
export interface AnswerServices {
  /** Waits until all events that were acknowledged before this call can be read. */
  waitForInbox(tenant: Tenant): Promise<void>;
  /**
   * Answers questions in the thread of reports. An answer is null if there was no time for it.
   * @throws ApiError 503 if there was no time for any of them.
   */
  countEffects(
    input: EffectsInput,
    asker: Asker,
    timeout_s: number,
  ): Promise<(FoundEffect[] | null)[]>;
}

export interface EffectServices extends AnswerServices {
  kinds: DefinitionKinds;
  listUses: ListUses;
}

/** The effects of a change that are known, and the questions about the others. */
interface AskedChange {
  kind: DefinitionKindName;
  key: string;
  asked: (EffectQuestion | FoundEffect)[];
}

const isQuestion = (asked: EffectQuestion | FoundEffect): asked is EffectQuestion =>
  'module' in asked;

/** The thread has this time left to send its answer. */
const SPARE_S = 1;
/**
 * The most questions of a plan, and the most characters that all of them together have before the last one. A file
 * may have thousands of segments, and each of them may use the same large one.
 */
const MAX_QUESTIONS = 200;
const MAX_QUESTION_CHARACTERS = 4_000_000;
/** The subject of the effects of each kind, for changes that are not asked about. */
const ABOUT: Partial<Record<DefinitionKindName, Effect['about']>> = {
  event_schema: 'events',
  leaderboard: 'submits',
  segment: 'members',
};

/**
 * Lists what the changes of a plan do, as far as that is known, and asks about the rest, as far as the role of the
 * member who plans may see the answers.
 */
export async function askEffects(
  { kinds, listUses }: Pick<EffectServices, 'kinds' | 'listUses'>,
  database: Database,
  { game_id, role }: { game_id: string; role: TokenRole },
  { plan, present, settled }: Planned,
): Promise<AskedChange[]> {
  const pause = createPauses();
  const since = firstMoment();
  const uses = await listUseEffects(kinds, listUses, database, game_id, plan.changes, present);
  const afterwards = new Map<DefinitionKindName, DefinitionsByKey>();
  const afterOf = (kind: DefinitionKindName): DefinitionsByKey => {
    const known =
      afterwards.get(kind) ?? listAfter(kind, plan, present.get(kind)!, settled.get(kind)!);
    afterwards.set(kind, known);
    return known;
  };
  const asked: AskedChange[] = [];
  const takesMore = createQuestionLimit();
  for (const [index, { kind, key }] of plan.changes.entries()) {
    await pause();
    const ask = kinds.findEffects(kind);
    if (ask === undefined || !takesMore()) {
      const left_out = ask === undefined ? [] : [notAsked(kind)];
      asked.push({ kind, key, asked: [...left_out, ...uses[index]!] });
      continue;
    }
    const [before, after] = [present.get(kind)!, afterOf(kind)];
    const change = { key, before: before.get(key) ?? null, after: after.get(key) ?? null };
    const game = { database, game_id, since, tried_in: null, before, after };
    const all = await ask(game, change);
    const found = all.map((it) => (isQuestion(it) ? hideFrom(role, it) : it));
    for (const question of found.filter(isQuestion)) takesMore(question);
    asked.push({ kind, key, asked: [...found, ...uses[index]!] });
  }
  return asked;
}

/** Replaces a question whose answer a role may not see. */
const hideFrom = (role: TokenRole, question: EffectQuestion): EffectQuestion | FoundEffect =>
  question.role === undefined || hasRole(role, question.role)
    ? question
    : uncountedEffect(question, `The role ${question.role} is needed`);

/** Makes the function that counts a question, if it is given, and tells whether the plan may ask more of them. */
function createQuestionLimit() {
  let [count, characters] = [0, 0];
  return (question?: EffectQuestion): boolean => {
    if (question !== undefined) {
      count++;
      characters += JSON.stringify(question.input).length;
    }
    return count < MAX_QUESTIONS && characters < MAX_QUESTION_CHARACTERS;
  };
}

const notAsked = (kind: DefinitionKindName): FoundEffect => ({
  about: ABOUT[kind] ?? 'players',
  environment: null,
  part: null,
  state: 'uncounted',
  numbers: {},
  words: 'The plan has too many changes to count what this one does.',
});

/** The time from which things count. */
export const firstMoment = (): string =>
  new Date(Date.now() - EFFECT_DAYS * 86_400_000).toISOString();

/** Lists the definitions of a kind after all changes. */
function listAfter(
  kind: DefinitionKindName,
  { changes }: Plan,
  present: DefinitionsByKey,
  settled: DefinitionsByKey,
): DefinitionsByKey {
  const after = new Map([...present, ...settled]);
  for (const change of changes) {
    if (change.kind === kind && change.action === 'delete') after.delete(change.key);
  }
  return after;
}

/**
 * Answers all questions about a plan, in a turn of the caller among the reports. Those for which there is no time
 * are answered by a sentence that says so.
 */
export async function answerEffects(
  services: AnswerServices,
  game_id: string,
  changes: readonly AskedChange[],
  asker: Asker,
): Promise<Effect[]> {
  const asked = changes.flatMap((change) => change.asked);
  const answerOf = await answerQuestions(services, game_id, ENVIRONMENTS, asked, asker);
  return changes.flatMap(({ kind, key, asked: questions }) =>
    questions.flatMap(answerOf).map((effect) => ({ kind, key, ...effect })),
  );
}

/**
 * Answers questions about a game.
 * @param environments Those whose events must be readable first.
 * @returns the function that gives the answer of a question.
 */
export async function answerQuestions(
  services: AnswerServices,
  game_id: string,
  environments: readonly Environment[],
  asked: readonly (EffectQuestion | FoundEffect)[],
  asker: Asker,
): Promise<(asked: EffectQuestion | FoundEffect) => FoundEffect[]> {
  const questions = asked.filter(isQuestion);
  const until_ms = Date.now() + MAX_EFFECTS_S * 1_000;
  const answers = new Map<EffectQuestion, FoundEffect[]>();
  let reason = 'There was no time';
  if (questions.length > 0) {
    try {
      for (const environment of environments) {
        await services.waitForInbox({ game_id, environment });
      }
      const input = { game_id, until_ms, questions };
      const counted = await services.countEffects(input, asker, MAX_EFFECTS_S + SPARE_S);
      for (const [index, found] of counted.entries()) {
        if (found !== null) answers.set(questions[index]!, found);
      }
    } catch (error) {
      // Other reports or other work on the server took the time; the plan itself is complete.
      if (!(error instanceof ApiError) || error.status !== 503 || asker.signal.aborted) throw error;
      reason = 'The server was too busy';
    }
  }
  return (each) => {
    if (!isQuestion(each)) return [each];
    return answers.get(each) ?? [uncountedEffect(each, reason)];
  };
}
