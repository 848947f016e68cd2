import type { Static } from 'typebox';
import { operationsIn } from '../operation.ts';
import { MAX_TAG_LENGTH } from '../players/players.ts';
import { FILTER_OPERATORS, PropertyFilter } from '../players/property-filters.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Remote config');

/** Most parameters of a config. */
export const MAX_PARAMETERS = 1_000;
/** Most rules of a parameter. */
export const MAX_RULES = 50;
/** Most conditions of one kind in a rule. */
export const MAX_CONDITIONS = 20;

export const PlayerId = t.Name('Id of the player, given by the game.');
const Value = t.Unknown({ description: 'Any JSON value, null too.' });
export const Version = t.Integer('Version of the config: 1, 2, 3…; 0 before the first.');

const Tags = (description: string) =>
  t.Array(t.String('A tag, in any case.', { minLength: 1, maxLength: MAX_TAG_LENGTH }), {
    minItems: 1,
    maxItems: MAX_CONDITIONS,
    description,
  });

export const ConfigRule = t.Object(
  {
    name: t.Optional(t.Name('What the rule is for, for people.')),
    has_tags: t.Optional(Tags('The player has all of these tags.')),
    lacks_tags: t.Optional(Tags('The player has none of these tags.')),
    properties: t.Optional(
      t.Array(PropertyFilter, {
        minItems: 1,
        maxItems: MAX_CONDITIONS,
        description: `All of these hold for the player's properties. Operators: ${FILTER_OPERATORS.map((operator) => `\`${operator}\``).join(', ')}.`,
      }),
    ),
    percentage: t.Optional(
      t.Number(
        'The player is among so many percent of all, decimals allowed. Raising it adds players and drops none.',
        { minimum: 0, maximum: 100 },
      ),
    ),
    salt: t.Optional(
      t.String(
        "Chooses which players a percentage means: equal salts choose the same players. The parameter's key when left out.",
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
    description: t.Optional(t.String('What it is for, for people.', { maxLength: 2_000 })),
    rules: t.Optional(
      t.Array(ConfigRule, {
        maxItems: MAX_RULES,
        description: 'The first one that matches gives the value; else it is `value`.',
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

export const getConfig = operation('GET /v1/config', {
  id: 'getConfig',
  access: 'key',
  summary: 'Read the remote config',
  description: `The values for the key's environment; with \`player_id\` those that the rules give this player. The \`ETag\` belongs to this very answer: send it as \`If-None-Match\`, and the answer is 304 without a body as long as nothing has changed for this caller.\n\n${rulesInWords}`,
  query: t.Object({ player_id: t.Optional(PlayerId) }),
  headers: t.Object({
    'if-none-match': t.Optional(t.String('`ETag` of an earlier answer, or several, or `*`.')),
  }),
  answers: {
    200: {
      description: 'The config.',
      headers: t.Object({
        ETag: t.String('Names this very answer, for `If-None-Match`.'),
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
