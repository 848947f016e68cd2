import { answer, badRequest } from '../answers.ts';
import { EnvironmentQuery, PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { ConfigRule, MAX_RULES } from './config.ts';
import { CONFIG_CONDITIONS } from './dashboard.ts';

const operation = operationsIn('Remote config (dashboard)');

/** A preview tries rules on at most this many players: those who were seen last. */
export const MAX_SAMPLED_PLAYERS = 1_000;
/** The largest request body of such a preview, in bytes. */
const MAX_PREVIEW_BYTES = 256 * 1024;

export const previewConfigRules = operation('POST /v1/games/{game_id}/config/preview/rules', {
  access: 'viewer',
  summary: 'See how many players each rule of a parameter would match',
  description: `For rules that are not stored yet, in the order of the body. A running experiment that has the parameter gives its values before them, as for \`GET /v1/config\`. They are tried on the ${MAX_SAMPLED_PLAYERS.toLocaleString('en')} players of the environment that were seen last, and with \`player_id\` on that player too. Stores nothing.`,
  query: EnvironmentQuery,
  body: t.Object({
    key: t.Name('Key of the parameter: the salt of percentages that have none of their own.'),
    rules: t.Array(ConfigRule, { maxItems: MAX_RULES, description: 'The rules to try.' }),
    player_id: t.Optional(PlayerId),
  }),
  body_validation: 'handler',
  max_body_bytes: MAX_PREVIEW_BYTES,
  example: {
    key: 'daily_reward',
    rules: [{ properties: [{ property: 'level', operator: 'lt', value: 5 }], value: 150 }],
    player_id: 'player-42',
  },
  answers: {
    200: answer(
      'The result for the sample, and for the player.',
      t.Object({
        sample_size: t.Integer('Players in the sample.'),
        by_rule: t.Array(t.Integer('Players.'), {
          description: 'Players of the sample to whom each rule gives its value.',
        }),
        by_default: t.Integer('Players of the sample who get the value of the parameter itself.'),
        experiment: t.Nullable(
          t.Object(
            {
              id: t.Uuid('Id of the experiment.'),
              name: t.String('Its name.'),
              players: t.Integer(
                'Players of the sample to whom a variant gives its own value; `by_rule` and `by_default` leave them out.',
              ),
            },
            { description: 'The running experiment that has the parameter, if there is one.' },
          ),
        ),
        player: t.Nullable(
          t.Object({
            is_known: t.Boolean('Whether the environment has the player.'),
            rule: t.Nullable(t.Integer('Index of the rule that matches first, from 0; or null.')),
            variant_name: t.Nullable(
              t.String(
                'Name of the variant of the experiment whose value the player gets instead; null: the rules decide.',
              ),
            ),
            rules: t.Array(
              t.Object({
                unmatched: t.Nullable(
                  t.Enum(CONFIG_CONDITIONS, 'The first condition that does not hold; or null.'),
                ),
                place: t.Nullable(
                  t.Number(
                    "The player's place from 0 to 100; a percentage above it matches. Null for a rule without a percentage.",
                  ),
                ),
              }),
              { description: 'For each rule, whether it would match by itself.' },
            ),
            tags: t.Array(t.String('A tag of the player.')),
            properties: t.JsonObject(
              'The properties at which the rules and the running experiments look.',
            ),
            stats: t.JsonObject('The values of the statistics at which they look, by key.'),
          }),
        ),
      }),
      {
        sample_size: 1_000,
        by_rule: [180],
        by_default: 570,
        experiment: {
          id: '0c4a2f6e-8d1b-4c57-9d0e-3f5a7b9c1d2e',
          name: 'Higher reward',
          players: 250,
        },
        player: {
          is_known: true,
          rule: null,
          variant_name: null,
          rules: [{ unmatched: 'properties', place: null }],
          tags: ['vip'],
          properties: { level: 12 },
          stats: {},
        },
      },
    ),
    400: badRequest('rules[0] must state has_tags, lacks_tags, properties or percentage'),
  },
});
