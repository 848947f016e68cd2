import { answer, errorAnswer, ErrorWith } from '../answers.ts';
import { ENVIRONMENTS } from '../common.ts';
import { limitReached } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import {
  countingInWords,
  Digest,
  examplePlan,
  PLAN,
  Plan,
  planAnswer,
  PlanQuery,
  Problems,
  RefusedByExperiment,
} from './definitions.ts';
import { exampleEffect } from './effects.ts';
import { ENVIRONMENT_KINDS } from './environments.ts';

const operation = operationsIn('Game as files');

const whatIsCopied = {
  from: t.Enum(ENVIRONMENTS, 'The environment whose definitions are copied.'),
  to: t.Enum(ENVIRONMENTS, 'The other environment.'),
  kinds: t.Optional(
    t.Array(t.Enum(ENVIRONMENT_KINDS), {
      minItems: 1,
      maxItems: ENVIRONMENT_KINDS.length,
      description: 'The kinds that are copied; left out, all of which environments have their own.',
    }),
  ),
};
const example = {
  from: 'development' as const,
  to: 'production' as const,
  kinds: ['remote_config' as const],
};

const sameEnvironment = errorAnswer(
  'A field is missing or invalid.',
  'to must be another environment than from',
);

const copiedPlan = {
  ...examplePlan,
  changes: [
    {
      action: 'update',
      kind: 'remote_config',
      key: 'production',
      fields: [{ path: 'parameters.daily_reward.value', before: 100, after: 150 }],
    },
  ],
};

export const planCopy = operation('POST /v1/games/{game_id}/definitions/copy/plan', {
  access: 'viewer',
  summary: 'See what a copy to the other environment would change',
  description: `Compares what one environment has with what the other one has, and counts what the changes do, as a plan of documents would. Remote config, experiments and alerts belong to an environment; both share all other definitions. Changes nothing. ${countingInWords}`,
  query: PlanQuery,
  body: t.Object(whatIsCopied),
  example,
  answers: {
    200: planAnswer({ ...copiedPlan, effects: [exampleEffect] }),
    400: sameEnvironment,
  },
});

export const applyCopy = operation('POST /v1/games/{game_id}/definitions/copy/apply', {
  access: 'developer',
  summary: 'Copy definitions to the other environment',
  description:
    'Makes all changes of a plan or none. The game must be as it was when the plan was made. A config is replaced as a whole: parameters that only the other environment has are removed from it. Alerts that only the other environment has stay.',
  body: t.Object({
    ...whatIsCopied,
    plan: t.String('The `plan` of the plan that was looked at.', { minLength: 1, maxLength: 64 }),
  }),
  example: { ...example, plan: PLAN },
  answers: {
    200: answer('The changes that were made.', Plan, {
      ...copiedPlan,
      changes: [{ ...copiedPlan.changes[0]!, version: { before: 7, after: 8 } }],
    }),
    400: sameEnvironment,
    403: limitReached('The role does not allow it, or the game would pass a limit.', 'alerts'),
    409: answer(
      'The plan is out of date (`digest` is there), or a running experiment has a parameter (`key`, `experiment_id`). Nothing was changed.',
      ErrorWith({ problems: Problems, digest: t.Optional(Digest), ...RefusedByExperiment }),
      {
        error:
          'The plan is out of date: the game or the files have changed since it was made. Make a new plan and look at it',
      },
    ),
  },
});
