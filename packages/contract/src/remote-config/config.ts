import type { Static } from 'typebox';
import { PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { MAX_TAG_LENGTH } from '../players/players.ts';
import { OPERATORS_IN_WORDS } from '../players/filter-operators.ts';
import { PlayerFilter, STAT_FILTER_IN_WORDS } from '../players/player-filters.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Remote config');

/** The maximum number of parameters of a config. */
export const MAX_PARAMETERS = 1_000;
/** The maximum number of rules of a parameter. */
export const MAX_RULES = 50;
/** The maximum number of conditions of one kind in a rule. */
export const MAX_CONDITIONS = 20;

const Value = t.Unknown({ description: 'Any JSON value, null too.' });
export const Version = t.Integer('Version of the config: 1, 2, 3…; 0 before the first.');

const Tags = (description: string) =>
  t.Array(t.String('A tag, in any case.', { minLength: 1, maxLength: MAX_TAG_LENGTH }), {
    minItems: 1,
    maxItems: MAX_CONDITIONS,
    description,
  });

/** Conditions on the tags, the properties and the statistics of a player, all of which hold. */
export const PlayerConditions = {
  has_tags: t.Optional(Tags('The player has all of these tags.')),
  lacks_tags: t.Optional(Tags('The player has none of these tags.')),
  properties: t.Optional(
    t.Array(PlayerFilter, {
      minItems: 1,
      maxItems: MAX_CONDITIONS,
      description: `All of these hold for the player's properties and statistics. Operators: ${OPERATORS_IN_WORDS}. ${STAT_FILTER_IN_WORDS}.`,
    }),
  ),
};

export const ConfigRule = t.Object(
  {
    name: t.Optional(t.NewName('A note about the purpose of the rule.')),
    ...PlayerConditions,
    percentage: t.Optional(
      t.Number(
        'Share of all players that the rule selects, in percent; decimals are allowed. Raising it adds players and drops none.',
        { minimum: 0, maximum: 100 },
      ),
    ),
    salt: t.Optional(
      t.String(
        "Decides which players a percentage selects: equal salts select the same players. The parameter's key when left out.",
        { maxLength: 255 },
      ),
    ),
    value: Value,
  },
  { title: 'ConfigRule', additionalProperties: false },
);

export const ConfigParameter = t.Object(
  {
    value: Value,
    description: t.Optional(
      t.String('A note about the purpose of the parameter.', { maxLength: 2_000 }),
    ),
    rules: t.Optional(
      t.Array(ConfigRule, {
        maxItems: MAX_RULES,
        description: 'The first rule that matches gives the value; if none matches, it is `value`.',
      }),
    ),
  },
  { title: 'ConfigParameter', additionalProperties: false },
);

export type ConfigParameter = Static<typeof ConfigParameter>;
export type ConfigRule = Static<typeof ConfigRule>;

export const Parameters = t.Unsafe<Record<string, ConfigParameter>>(
  t.Object(
    {},
    {
      additionalProperties: ConfigParameter,
      description: `Parameters by key, which is a name of 1 to 255 characters; at most ${MAX_PARAMETERS.toLocaleString('en')}.`,
    },
  ),
);

export const rulesInWords = [
  'A rule states at least one of `has_tags`, `lacks_tags`, `properties` and `percentage`, and matches when all that it states hold. The first rule that matches gives the value; if none matches, it is the `value` of the parameter. Without a player no rule matches. A player whom the game has not named yet has no tags, no properties and no statistics.',
  'A percentage is stable: salt and player id (the first 48 bits of SHA-256 over salt, NUL and id) give each player a place from 0 to 100, and the rule matches places below the percentage. The rules of one parameter share its salt, so 10 percent and then 30 percent give the second value to the next 20 percent.',
].join('\n\n');

export const exampleParameters = {
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

export const getConfig = operation('GET /v1/config', {
  access: 'key',
  summary: 'Read the remote config',
  description: `The values for the environment of the API key; with \`player_id\` the values that the rules give this player. Send the \`ETag\` of an answer as \`If-None-Match\`, and the answer is 304 without a body as long as nothing has changed for this caller.\n\n${rulesInWords}`,
  query: t.Object({ player_id: t.Optional(PlayerId) }),
  headers: t.Object({
    'if-none-match': t.Optional(t.String('`ETag` of an earlier answer, or several, or `*`.')),
  }),
  answers: {
    200: {
      description: 'The config.',
      headers: t.Object({
        ETag: t.String('Identifies this answer, for `If-None-Match`.'),
      }),
      body: t.Object({ config: t.JsonObject('Values by key.'), version: Version }),
      example: {
        config: { daily_reward: 150, shop: { open: true, banner: 'Spring sale' } },
        version: 7,
      },
    },
    304: { description: 'Nothing has changed since the answer that `If-None-Match` names.' },
  },
});
