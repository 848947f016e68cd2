import {
  answer,
  errorAnswer,
  ErrorWith,
  pageAnswer,
  UsedBy,
  VERSION_CONFLICT,
} from '../answers.ts';
import { EnvironmentPageQuery, EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { Experiment, exampleDefinition, exampleExperiment, State } from './experiment.ts';
import { DefinitionFields } from './experiment-definition.ts';
import {
  MAX_EXPERIMENT_VARIANTS,
  MAX_EXPERIMENTS,
  MAX_RUNNING_EXPERIMENTS,
} from './experiment-limits.ts';

const operation = operationsIn('Experiments');

/** Largest request body of an experiment, in bytes. */
export const MAX_EXPERIMENT_BYTES = 64 * 1024;

const VariantIndex = (description: string) =>
  t.Integer(description, { minimum: 1, maximum: MAX_EXPERIMENT_VARIANTS - 1 });

const invalid = errorAnswer(
  'A field is missing or invalid; `error` names its place.',
  'variants[1].values must have at least one member',
);
const assignmentInWords =
  'Experiment and player id (SHA-256 over id, NUL and player id) give each player a place for the share, by the first 48 bits, and one for the variant, by the next 48. So the variants of a player in two experiments are independent, and a greater share adds players without moving any.';

export const listExperiments = operation('GET /v1/games/{game_id}/experiments', {
  access: 'viewer',
  summary: 'List the experiments of an environment',
  description: 'The newest first, page by page.',
  query: t.Object({ ...EnvironmentPageQuery.properties, state: t.Optional(State) }),
  answers: {
    200: pageAnswer('A page of experiments.', 'experiments', Experiment, exampleExperiment),
  },
});

export const createExperiment = operation('POST /v1/games/{game_id}/experiments', {
  access: 'developer',
  summary: 'Create an experiment as a draft',
  description: `Nothing changes for players until it is started. An environment has at most ${MAX_EXPERIMENTS} experiments. Numbers of any size in values are kept exactly.\n\n${assignmentInWords}`,
  query: EnvironmentQuery,
  body: t.Object(DefinitionFields),
  body_validation: 'handler',
  max_body_bytes: MAX_EXPERIMENT_BYTES,
  example: exampleDefinition,
  answers: {
    201: answer('The draft.', Experiment, {
      ...exampleExperiment,
      state: 'draft',
      started_at: null,
    }),
    400: invalid,
    409: errorAnswer(
      'The environment has its limit of experiments.',
      `An environment may have at most ${MAX_EXPERIMENTS} experiments: delete one first`,
    ),
  },
});

export const getExperiment = operation('GET /v1/games/{game_id}/experiments/{experiment_id}', {
  access: 'viewer',
  summary: 'Show an experiment',
  description: 'With its variants and metrics. `getExperimentResults` has the results.',
  query: EnvironmentQuery,
  answers: { 200: answer('The experiment.', Experiment, exampleExperiment) },
});

export const updateExperiment = operation('PATCH /v1/games/{game_id}/experiments/{experiment_id}', {
  access: 'developer',
  summary: 'Change an experiment',
  description:
    'Members that are left out stay. A draft can be changed as a whole, and `condition: null` removes its condition. Of all others the name and the description can be changed, and the share of a running one can be raised: any other change would mix players of different variants.',
  query: EnvironmentQuery,
  body: t.Changes({
    ...DefinitionFields,
    condition: t.Nullable(DefinitionFields.condition),
  }),
  body_validation: 'handler',
  max_body_bytes: MAX_EXPERIMENT_BYTES,
  example: { name: 'Higher daily reward' },
  answers: {
    200: answer('The experiment as it is now.', Experiment, exampleExperiment),
    400: invalid,
    409: errorAnswer(
      'The experiment has been started, and this cannot be changed any more.',
      'The share of a running experiment can only be raised',
    ),
  },
});

export const deleteExperiment = operation(
  'DELETE /v1/games/{game_id}/experiments/{experiment_id}',
  {
    access: 'developer',
    summary: 'Delete an experiment with its results',
    description:
      'The exposures of players are lost. A running experiment must be stopped first, and its cards must be removed from dashboards.',
    query: EnvironmentQuery,
    answers: {
      204: { description: 'The experiment is deleted.' },
      409: answer(
        'The experiment is running, or dashboards show its results; `used_by` then names the cards.',
        ErrorWith({ used_by: t.Optional(UsedBy) }),
        { error: 'Stop the experiment before you delete it' },
      ),
    },
  },
);

export const startExperiment = operation(
  'POST /v1/games/{game_id}/experiments/{experiment_id}/start',
  {
    access: 'developer',
    summary: 'Start a draft',
    description: `Takes no body. From now on \`GET /v1/config\` answers its players with the values of their variant, and records the first such answer of each player, the exposure. A player with an exposure keeps the variant, whatever becomes of the condition. Each parameter must be in the config, and neither another running experiment nor a scheduled change that is coming or running may have it. While it runs, its parameters keep their values and rules in the config. A metric of \`revenue\` needs the revenue settings of the game, with one currency. At most ${MAX_RUNNING_EXPERIMENTS} run in an environment.`,
    query: EnvironmentQuery,
    answers: {
      200: answer('The running experiment.', Experiment, exampleExperiment),
      409: answer(
        'It is no draft, a parameter is not in the config, another running experiment or a scheduled change has it, or the game has no revenue settings that a metric needs.',
        ErrorWith({
          experiment_id: t.Optional(t.Uuid('The other experiment.')),
          schedule_id: t.Optional(t.Uuid('The scheduled change.')),
          key: t.Optional(t.String('The parameter of both.')),
        }),
        {
          error:
            'The running experiment "Higher daily reward" already has the parameter daily_reward',
          experiment_id: exampleExperiment.id,
          key: 'daily_reward',
        },
      ),
    },
  },
);

export const stopExperiment = operation(
  'POST /v1/games/{game_id}/experiments/{experiment_id}/stop',
  {
    access: 'developer',
    summary: 'Stop a running experiment',
    description:
      'Takes no body. All players get the config again. It cannot be started again; its results stay. A player whose time for a metric is not over by now never counts for it.',
    query: EnvironmentQuery,
    answers: {
      200: answer('The stopped experiment.', Experiment, {
        ...exampleExperiment,
        state: 'stopped',
        stopped_at: '2026-03-28T09:00:00.000Z',
      }),
      409: errorAnswer('It is not running.', 'The experiment is not running'),
    },
  },
);

export const shipExperiment = operation(
  'POST /v1/games/{game_id}/experiments/{experiment_id}/ship',
  {
    access: 'developer',
    summary: 'Put the values of a variant into the config',
    description:
      'For a running or stopped experiment; a running one ends. The values are stored as the next version of the config, for all players whom the condition selects, whatever the share. Without a condition a value replaces that of its parameter, and its rules, which it would not reach; with a condition it becomes the first rule. The config can be rolled back to the version before.',
    query: EnvironmentQuery,
    body: t.Object({
      variant: VariantIndex(
        'Index of the variant, from 1. To keep the control, stop the experiment.',
      ),
      config_version: t.Optional(
        t.Integer('Expected current version of the config; left out: any.', { minimum: 0 }),
      ),
    }),
    example: { variant: 1 },
    answers: {
      200: answer('The experiment as it is now.', Experiment, {
        ...exampleExperiment,
        state: 'shipped',
        stopped_at: '2026-03-28T09:00:00.000Z',
        shipped_variant: 1,
      }),
      400: errorAnswer('The experiment has no such variant.', 'variant must be at most 1'),
      409: answer(
        'It is a draft or shipped already, the current version of the config differs from the one sent, or another running experiment has a parameter of the variant.',
        ErrorWith({
          server_version: t.Optional(
            t.Integer('The current version, if it differs from the one sent.'),
          ),
          experiment_id: t.Optional(t.Uuid('The other experiment.')),
          key: t.Optional(t.String('The parameter of both.')),
        }),
        { error: VERSION_CONFLICT, server_version: 8 },
      ),
    },
  },
);
