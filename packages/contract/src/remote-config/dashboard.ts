import { Type } from 'typebox';
import {
  EnvironmentQuery,
  errorAnswer,
  ErrorBody,
  GameId,
  JsonObject,
  merge,
  Nullable,
  PageOf,
  PageQuery,
  Resource,
  Timestamp,
} from '../common.ts';
import { defineOperation } from '../operation.ts';
import { MAX_TAGS } from '../players/players.ts';
import {
  exampleParameters,
  MAX_CONDITIONS,
  MAX_RULES,
  Parameters,
  PlayerId,
  rulesInWords,
  Version,
} from './config.ts';

const dashboardGroup = 'Remote config (dashboard)';

/** Largest request body of a config, in bytes. */
export const MAX_CONFIG_BYTES = 256 * 1024;
/** How many versions of a config are kept. */
export const KEPT_CONFIG_VERSIONS = 200;

const params = Type.Object({ game_id: GameId });
const versionParams = Type.Object({
  game_id: GameId,
  version: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'Version of the config.',
  }),
});

const VersionFields = {
  version: Version,
  created_at: Nullable(Timestamp('When it was stored; null for version 0.')),
  created_by: Nullable(
    Type.String({
      description: 'E-mail of who stored it; null for version 0 and for the command line.',
    }),
  ),
  restored_version: Nullable(
    Type.Integer({ description: 'The version that it returned to, if it did.' }),
  ),
};

const Config = Resource('Config', { ...VersionFields, parameters: Parameters });

const exampleVersion = {
  version: 7,
  created_at: '2026-03-14T15:09:26.535Z',
  created_by: 'ada@studio.example',
  restored_version: null,
};
const exampleConfig = { ...exampleVersion, parameters: exampleParameters };

const versionNotFound = errorAnswer(
  `The environment has no such version, or it is older than the ${KEPT_CONFIG_VERSIONS} that are kept; or the account is no member of the game.`,
  'Config version not found',
);

export const getGameConfig = defineOperation({
  id: 'getGameConfig',
  method: 'GET',
  path: '/v1/games/{game_id}/config',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'Show the config of an environment with its rules',
  description: 'Version 0 without parameters before the first one is stored.',
  params,
  query: EnvironmentQuery,
  answers: {
    200: { description: 'The current config.', body: Config, example: exampleConfig },
  },
});

export const putGameConfig = defineOperation({
  id: 'putGameConfig',
  method: 'PUT',
  path: '/v1/games/{game_id}/config',
  access: 'developer',
  group: dashboardGroup,
  summary: 'Replace the config of an environment',
  description: `Stores the whole config as the next version; clients get it at once. Send the \`version\` you started from, and it is stored only if nobody has stored another since. Parameters equal to the current ones change nothing and make no version. The body may have ${MAX_CONFIG_BYTES / 1024} KB, a parameter ${MAX_RULES} rules, a rule ${MAX_CONDITIONS} conditions of each kind. Numbers of any size in values are kept exactly.\n\n${rulesInWords}`,
  params,
  query: EnvironmentQuery,
  body: Type.Object({
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Expected current version; left out, the config is replaced in any case.',
      }),
    ),
    parameters: Parameters,
  }),
  body_validation: 'handler',
  max_body_bytes: MAX_CONFIG_BYTES,
  example: { version: 6, parameters: exampleParameters },
  answers: {
    200: { description: 'The config as it is now.', body: Config, example: exampleConfig },
    400: errorAnswer(
      'A field is missing or invalid; `error` names its place in the config.',
      'parameters.daily_reward.rules[1].percentage must be at most 100',
    ),
    409: {
      description: 'The current version is another than the one sent; nothing was stored.',
      body: Type.Object({ ...ErrorBody.properties, server_version: Version }),
      example: { error: 'Version conflict', server_version: 8 },
    },
  },
});

export const listConfigVersions = defineOperation({
  id: 'listConfigVersions',
  method: 'GET',
  path: '/v1/games/{game_id}/config/versions',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'List the versions of a config',
  description: `The newest first, page by page. The last ${KEPT_CONFIG_VERSIONS} are kept.`,
  params,
  query: merge(EnvironmentQuery, PageQuery),
  answers: {
    200: {
      description: 'A page of versions.',
      body: PageOf(
        'versions',
        Type.Object({
          ...VersionFields,
          parameter_count: Type.Integer({ description: 'Parameters in it.' }),
        }),
      ),
      example: { versions: [{ ...exampleVersion, parameter_count: 2 }], next_cursor: null },
    },
  },
});

export const getConfigVersion = defineOperation({
  id: 'getConfigVersion',
  method: 'GET',
  path: '/v1/games/{game_id}/config/versions/{version}',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'Show one version of a config',
  description: 'What was stored, with its rules.',
  params: versionParams,
  query: EnvironmentQuery,
  answers: {
    200: { description: 'The version.', body: Config, example: exampleConfig },
    404: versionNotFound,
  },
});

export const rollBackConfig = defineOperation({
  id: 'rollBackConfig',
  method: 'POST',
  path: '/v1/games/{game_id}/config/versions/{version}/rollback',
  access: 'developer',
  group: dashboardGroup,
  summary: 'Return to an earlier version of a config',
  description:
    'Stores the parameters of that version as the next one, with `restored_version` naming where they are from; nothing of the history is lost. Where they equal the current ones nothing changes. Takes no body.',
  params: versionParams,
  query: EnvironmentQuery,
  answers: {
    200: {
      description: 'The config as it is now.',
      body: Config,
      example: { ...exampleConfig, version: 9, restored_version: 7 },
    },
    404: versionNotFound,
  },
});

/** What can keep a rule from matching. */
export const CONFIG_CONDITIONS = [
  'player',
  'has_tags',
  'lacks_tags',
  'properties',
  'percentage',
] as const;
export type ConfigCondition = (typeof CONFIG_CONDITIONS)[number];

export const previewConfig = defineOperation({
  id: 'previewConfig',
  method: 'POST',
  path: '/v1/games/{game_id}/config/preview',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'See what a player gets, and why',
  description:
    'For a player of the environment by `player_id`, or for one made up of `tags` and `properties`, which then replace what is stored. Percentages need a `player_id`. With nothing given it is what a client gets that names no player. Stores nothing.',
  params,
  query: EnvironmentQuery,
  body: Type.Object({
    player_id: Type.Optional(PlayerId),
    tags: Type.Optional(
      Type.Array(Type.String(), { maxItems: MAX_TAGS, description: 'Tags of the player.' }),
    ),
    properties: Type.Optional(JsonObject('Properties of the player.')),
  }),
  example: { player_id: 'player-42' },
  answers: {
    200: {
      description: 'What the player gets.',
      body: Type.Object({
        version: Version,
        config: JsonObject('Values by key.'),
        decisions: Type.Array(
          Type.Object({
            key: Type.String({ description: 'Key of the parameter.' }),
            rule: Nullable(
              Type.Integer({
                description: 'Index of the rule that gave the value, from 0; null: its `value`.',
              }),
            ),
            rule_name: Nullable(Type.String({ description: 'Name of that rule, if it has one.' })),
            unmatched: Type.Array(
              Type.Enum([...CONFIG_CONDITIONS], {
                description: 'The first condition that did not hold; `player`: none was given.',
              }),
              { description: 'For each rule before that one, what kept it from matching.' },
            ),
          }),
          { description: 'How each parameter that has rules was decided.' },
        ),
      }),
      example: {
        version: 7,
        config: { daily_reward: 200, shop: { open: true, banner: 'Spring sale' } },
        decisions: [
          { key: 'daily_reward', rule: 1, rule_name: 'Trial', unmatched: ['properties'] },
        ],
      },
    },
  },
});
