import { Type } from 'typebox';
import type { Static } from 'typebox';
import { JsonObject, Name } from '../common.ts';
import { defineOperation } from '../operation.ts';
import { MAX_TAG_LENGTH } from '../players/players.ts';
import { FILTER_OPERATORS, PropertyFilter } from '../players/property-filters.ts';

const group = 'Remote config';

/** Most parameters of a config. */
export const MAX_PARAMETERS = 1_000;
/** Most rules of a parameter. */
export const MAX_RULES = 50;
/** Most conditions of one kind in a rule. */
export const MAX_CONDITIONS = 20;

export const PlayerId = Name('Id of the player, given by the game.');
const Value = Type.Unknown({ description: 'Any JSON value, null too.' });
export const Version = Type.Integer({
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

export const Parameters = Type.Unsafe<Record<string, ConfigParameter>>(
  Type.Object(
    {},
    {
      additionalProperties: ConfigParameter,
      description: `Parameters by key, which is a name of 1 to 255 characters; at most ${MAX_PARAMETERS.toLocaleString('en')}.`,
    },
  ),
);

export const rulesInWords = [
  'A rule matches when everything it states holds: `has_tags`, `lacks_tags`, `properties`, `percentage`; it states at least one of them. The first rule that matches gives the value, else it is the parameter’s `value`. Without a player no rule matches. A player the game has not named yet has no tags and no properties.',
  'A percentage is stable: a player’s place from 0 to 100 is made from the salt and the player’s id (the first 48 bits of SHA-256 over salt, NUL and id), and the rule matches below the percentage. Several rules of one parameter share its salt, so 10 percent and then 30 percent give the second value to the next 20.',
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
