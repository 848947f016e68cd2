import { Type } from 'typebox';
import type { Static } from 'typebox';
import {
  EnvironmentQuery,
  errorAnswer,
  ErrorBody,
  GameId,
  JsonObject,
  merge,
  Name,
  Nullable,
  PageOf,
  PageQuery,
  Resource,
  Timestamp,
} from './common.ts';
import { defineOperation } from './operation.ts';
import { FILTER_OPERATORS, MAX_TAG_LENGTH, MAX_TAGS, PropertyFilter } from './players.ts';

const group = 'Remote config';
const dashboardGroup = 'Remote config (dashboard)';

/** Largest request body of a config, in bytes. */
export const MAX_CONFIG_BYTES = 256 * 1024;
/** Most parameters of a config. */
export const MAX_PARAMETERS = 1_000;
/** Most rules of a parameter. */
export const MAX_RULES = 50;
/** Most conditions of one kind in a rule. */
export const MAX_CONDITIONS = 20;
/** How many versions of a config are kept. */
export const KEPT_CONFIG_VERSIONS = 200;

const PlayerId = Name('Id of the player, given by the game.');
const Value = Type.Unknown({ description: 'Any JSON value, null too.' });
const Version = Type.Integer({
  description: 'Version of the config: 1, 2, 3…; 0 before the first.',
});

const Tags = (description: string) =>
  Type.Array(
    Type.String({ minLength: 1, maxLength: MAX_TAG_LENGTH, description: 'A tag, in any case.' }),
    { minItems: 1, maxItems: MAX_CONDITIONS, description },
  );

export const ConfigRule = Type.Object(
  {
    name: Type.Optional(Name('What the rule is for, for people.')),
    has_tags: Type.Optional(Tags('The player has all of these tags.')),
    lacks_tags: Type.Optional(Tags('The player has none of these tags.')),
    properties: Type.Optional(
      Type.Array(PropertyFilter, {
        minItems: 1,
        maxItems: MAX_CONDITIONS,
        description: `All of these hold for the player's properties. Operators: ${FILTER_OPERATORS.map((operator) => `\`${operator}\``).join(', ')}.`,
      }),
    ),
    percentage: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description:
          'The player is among so many percent of all, decimals allowed. Raising it adds players and drops none.',
      }),
    ),
    salt: Type.Optional(
      Type.String({
        maxLength: 255,
        description:
          "Chooses which players a percentage means: equal salts choose the same players. The parameter's key when left out.",
      }),
    ),
    value: Value,
  },
  { title: 'ConfigRule', additionalProperties: false },
);

export const ConfigParameter = Type.Object(
  {
    value: Value,
    description: Type.Optional(
      Type.String({ maxLength: 2_000, description: 'What it is for, for people.' }),
    ),
    rules: Type.Optional(
      Type.Array(ConfigRule, {
        maxItems: MAX_RULES,
        description: 'The first one that matches gives the value; else it is `value`.',
      }),
    ),
  },
  { title: 'ConfigParameter', additionalProperties: false },
);

export type ConfigParameter = Static<typeof ConfigParameter>;
export type ConfigRule = Static<typeof ConfigRule>;

const Parameters = Type.Unsafe<Record<string, ConfigParameter>>(
  Type.Object(
    {},
    {
      additionalProperties: ConfigParameter,
      description: `Parameters by key, which is a name of 1 to 255 characters; at most ${MAX_PARAMETERS.toLocaleString('en')}.`,
    },
  ),
);

const rulesInWords = [
  'A rule matches when everything it states holds: `has_tags`, `lacks_tags`, `properties`, `percentage`; it states at least one of them. The first rule that matches gives the value, else it is the parameter’s `value`. Without a player no rule matches. A player the game has not named yet has no tags and no properties.',
  'A percentage is stable: a player’s place from 0 to 100 is made from the salt and the player’s id (the first 48 bits of SHA-256 over salt, NUL and id), and the rule matches below the percentage. Several rules of one parameter share its salt, so 10 percent and then 30 percent give the second value to the next 20.',
].join('\n\n');

const exampleParameters = {
  daily_reward: {
    description: 'Coins for the first session of a day',
    value: 100,
    rules: [
      {
        name: 'Newcomers',
        properties: [{ property: 'level', operator: 'lt', value: 5 }],
        value: 150,
      },
      { name: 'Trial', percentage: 12.5, lacks_tags: ['tester'], value: 200 },
    ],
  },
  shop: { value: { open: true, banner: 'Spring sale' } },
};

export const getConfig = defineOperation({
  id: 'getConfig',
  method: 'GET',
  path: '/v1/config',
  access: 'key',
  group,
  summary: 'Read the remote config',
  description: `The values for the key's environment; with \`player_id\` those that the rules give this player. The \`ETag\` belongs to this very answer: send it as \`If-None-Match\`, and the answer is 304 without a body as long as nothing has changed for this caller.\n\n${rulesInWords}`,
  query: Type.Object({ player_id: Type.Optional(PlayerId) }),
  headers: Type.Object({
    'if-none-match': Type.Optional(
      Type.String({ description: '`ETag` of an earlier answer, or several, or `*`.' }),
    ),
  }),
  answers: {
    200: {
      description: 'The config.',
      headers: Type.Object({
        ETag: Type.String({ description: 'Names this very answer, for `If-None-Match`.' }),
      }),
      body: Type.Object({ config: JsonObject('Values by key.'), version: Version }),
      example: {
        config: { daily_reward: 150, shop: { open: true, banner: 'Spring sale' } },
        version: 7,
      },
    },
    304: { description: 'Nothing has changed since the answer that `If-None-Match` names.' },
  },
});

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
