import { answer, errorAnswer, ErrorWith, pageAnswer, VERSION_CONFLICT } from '../answers.ts';
import { EnvironmentPageQuery, EnvironmentQuery, GameId, PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { MAX_TAGS } from '../players/players.ts';
import { t } from '../schema.ts';
import {
  exampleParameters,
  MAX_CONDITIONS,
  MAX_RULES,
  Parameters,
  rulesInWords,
  Version,
} from './config.ts';

const operation = operationsIn('Remote config (dashboard)');

/** Largest request body of a config, in bytes. */
export const MAX_CONFIG_BYTES = 256 * 1024;
/** The number of versions of a config that are kept. */
export const KEPT_CONFIG_VERSIONS = 200;

const versionParams = t.Object({
  game_id: GameId,
  version: t.Integer('Version of the config.', { minimum: 1, maximum: 2_147_483_647 }),
});

const VersionFields = {
  version: Version,
  created_at: t.Nullable(t.Timestamp('When it was stored; null for version 0.')),
  created_by: t.Nullable(
    t.String(
      'E-mail address of the account that stored it; null for version 0 and for the command line.',
    ),
  ),
  restored_version: t.Nullable(t.Integer('The earlier version that it restored, if it did.')),
  schedule: t.Nullable(
    t.Object(
      {
        id: t.Uuid('Id of the scheduled change.'),
        name: t.String('Its name at that time.'),
        edge: t.Enum(['start', 'end'], 'Whether it began or ended.'),
      },
      { description: 'The scheduled change that made the version by its start or its end.' },
    ),
  ),
};

const Config = t.Resource('Config', { ...VersionFields, parameters: Parameters });

const exampleVersion = {
  version: 7,
  created_at: '2026-03-14T15:09:26.535Z',
  created_by: 'ada@studio.example',
  restored_version: null,
  schedule: null,
};
const exampleConfig = { ...exampleVersion, parameters: exampleParameters };

const versionNotFound = errorAnswer(
  `The environment has no such version, the version is older than the ${KEPT_CONFIG_VERSIONS} that are kept, or the account is no member of the game.`,
  'Config version not found',
);

const versionConflict = answer(
  'The current version differs from the one sent, and `server_version` names it. Or a parameter of a running experiment would be removed, or get another value or other rules; `experiment_id` names the experiment, which must be stopped or shipped first. Nothing was stored.',
  ErrorWith({
    server_version: t.Optional(Version),
    experiment_id: t.Optional(t.Uuid('The running experiment.')),
    key: t.Optional(t.String('Its parameter.')),
  }),
  { error: VERSION_CONFLICT, server_version: 8 },
);

export const getGameConfig = operation('GET /v1/games/{game_id}/config', {
  access: 'viewer',
  summary: 'Show the config of an environment with its rules',
  description: 'Before the first version is stored, it is version 0 without parameters.',
  query: EnvironmentQuery,
  answers: {
    200: answer('The current config.', Config, exampleConfig),
  },
});

export const putGameConfig = operation('PUT /v1/games/{game_id}/config', {
  access: 'developer',
  summary: 'Replace the config of an environment',
  description: `Stores the whole config as the next version; clients get it at once. Send the \`version\` that you changed, and the config is stored only if no other version was stored since. Parameters equal to the current ones change nothing and make no version. The body may have ${MAX_CONFIG_BYTES / 1024} KB, a parameter ${MAX_RULES} rules, a rule ${MAX_CONDITIONS} conditions of each kind. Numbers of any size in values are kept exactly.\n\n${rulesInWords}`,
  query: EnvironmentQuery,
  body: t.Object({
    version: t.Optional(
      t.Integer(
        'Expected current version. If it is left out, the config is replaced in any case.',
        {
          minimum: 0,
        },
      ),
    ),
    parameters: Parameters,
  }),
  body_validation: 'handler',
  max_body_bytes: MAX_CONFIG_BYTES,
  example: { version: 6, parameters: exampleParameters },
  answers: {
    200: answer('The config as it is now.', Config, exampleConfig),
    400: errorAnswer(
      'A field is missing or invalid; `error` names its place in the config.',
      'parameters.daily_reward.rules[1].percentage must be at most 100',
    ),
    409: versionConflict,
  },
});

export const listConfigVersions = operation('GET /v1/games/{game_id}/config/versions', {
  access: 'viewer',
  summary: 'List the versions of a config',
  description: `The newest first, page by page. The last ${KEPT_CONFIG_VERSIONS} are kept.`,
  query: EnvironmentPageQuery,
  answers: {
    200: pageAnswer(
      'A page of versions.',
      'versions',
      t.Object({
        ...VersionFields,
        parameter_count: t.Integer('Parameters in it.'),
      }),
      { ...exampleVersion, parameter_count: 2 },
    ),
  },
});

export const getConfigVersion = operation('GET /v1/games/{game_id}/config/versions/{version}', {
  access: 'viewer',
  summary: 'Show one version of a config',
  description: 'The config as it was stored, with its rules.',
  params: versionParams,
  query: EnvironmentQuery,
  answers: {
    200: answer('The version.', Config, exampleConfig),
    404: versionNotFound,
  },
});

export const rollBackConfig = operation(
  'POST /v1/games/{game_id}/config/versions/{version}/rollback',
  {
    access: 'developer',
    summary: 'Return to an earlier version of a config',
    description:
      'Takes no body. Stores the parameters of that version as a new version, which `restored_version` links to it; the history is kept. If they equal the current parameters, nothing changes.',
    params: versionParams,
    query: t.Object({
      ...EnvironmentQuery.properties,
      expected_version: t.Optional(
        t.Integer('The version that is current. Another one is answered 409.', { minimum: 0 }),
      ),
    }),
    answers: {
      200: answer('The config as it is now.', Config, {
        ...exampleConfig,
        version: 9,
        restored_version: 7,
      }),
      404: versionNotFound,
      409: versionConflict,
    },
  },
);

/** Conditions that can keep a rule from matching. */
export const CONFIG_CONDITIONS = [
  'player',
  'has_tags',
  'lacks_tags',
  'properties',
  'percentage',
] as const;
export type ConfigCondition = (typeof CONFIG_CONDITIONS)[number];

export const previewConfig = operation('POST /v1/games/{game_id}/config/preview', {
  access: 'viewer',
  summary: 'See the config of a player, and the reasons',
  description:
    'For a player of the environment by `player_id`. `tags` and `properties`, where they are given, replace the stored ones, so that players can be invented; these have no statistics. Percentages and experiments need a `player_id`. The values are those that `GET /v1/config` gives to the player, running experiments included; the player is not counted in these. An empty body gives the config of a client that names no player. Stores nothing.',
  query: EnvironmentQuery,
  body: t.Object({
    player_id: t.Optional(PlayerId),
    tags: t.Optional(
      t.Array(t.String(), { maxItems: MAX_TAGS, description: 'Tags of the player.' }),
    ),
    properties: t.Optional(t.JsonObject('Properties of the player.')),
  }),
  body_validation: 'handler',
  example: { player_id: 'player-42' },
  answers: {
    200: answer(
      'The config of the player.',
      t.Object({
        version: Version,
        config: t.JsonObject('Values by key.'),
        decisions: t.Array(
          t.Object({
            key: t.String('Key of the parameter.'),
            rule: t.Nullable(
              t.Integer('Index of the rule that gave the value, from 0; null: no rule matched.'),
            ),
            rule_name: t.Nullable(t.String('Name of that rule, if it has one.')),
            unmatched: t.Array(
              t.Enum(
                CONFIG_CONDITIONS,
                'The first condition that did not hold; `player`: no player was given.',
              ),
              {
                description:
                  'For each rule before that one, the condition that kept it from matching.',
              },
            ),
          }),
          {
            description:
              'How the rules of each parameter decided. A value of an experiment stands in front of it.',
          },
        ),
        experiments: t.Array(
          t.Object({
            experiment_id: t.Uuid('Id of the experiment.'),
            experiment_name: t.String('Its name.'),
            variant_name: t.String("Name of the player's variant."),
            keys: t.Array(t.String('Key of a parameter.'), {
              description: 'Parameters that get a value of the variant. The control has none.',
            }),
          }),
          { description: 'The running experiments in which the player takes part.' },
        ),
      }),
      {
        version: 7,
        config: { daily_reward: 200, shop: { open: true, banner: 'Autumn sale' } },
        experiments: [
          {
            experiment_id: '0c4a2f6e-8d1b-4c57-9d0e-3f5a7b9c1d2e',
            experiment_name: 'Banner of the shop',
            variant_name: 'Autumn',
            keys: ['shop'],
          },
        ],
        decisions: [
          { key: 'daily_reward', rule: 1, rule_name: 'Trial', unmatched: ['properties'] },
        ],
      },
    ),
  },
});
