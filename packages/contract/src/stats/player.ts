import { answer, errorAnswer, notFoundInGame, PageOf } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { StatKey } from '../path-parameters.ts';
import { t } from '../schema.ts';
import { Stat } from './definitions.ts';
import { STAT_HOUR_DAYS } from './stat-limits.ts';
import { AggregationName, StatNumber, StatValue } from './stats.ts';

const operation = operationsIn('Statistics (dashboard)');

const members = {
  key: StatKey,
  name: Stat.properties.name,
  description: Stat.properties.description,
  aggregation: AggregationName,
  archived: Stat.properties.archived,
  value: t.Nullable(t.Number('The value of the player; null before the first change.')),
  updated_at: t.Nullable(t.Timestamp('When the value was last changed.')),
};
const StatOfPlayer = t.Resource('StatOfPlayer', members);

const exampleOfPlayer = {
  key: 'coins',
  name: 'Coins',
  description: 'Coins that the player can spend',
  aggregation: 'sum',
  archived: false,
  value: 120,
  updated_at: '2026-03-14T15:09:26.535Z',
};

const playerNotFound = notFoundInGame('player');
const statNotFound = errorAnswer(
  'The game, player or statistic does not exist.',
  'Statistic not found',
);

export const listPlayerStats = operation('GET /v1/games/{game_id}/players/{player_id}/stats', {
  access: 'viewer',
  summary: 'List the statistics of one player',
  description:
    'By key: all statistics of the game, and the archived ones of which the player has a value. The list has one page: `next_cursor` is always null.',
  query: EnvironmentQuery,
  answers: {
    200: answer('The statistics.', PageOf('stats', StatOfPlayer), {
      stats: [exampleOfPlayer],
      next_cursor: null,
    }),
    404: playerNotFound,
  },
});

export const getPlayerStat = operation(
  'GET /v1/games/{game_id}/players/{player_id}/stats/{stat_key}',
  {
    access: 'viewer',
    summary: 'Read a statistic of one player with its last hours',
    description: `The value is what \`base\` and all \`hours\` join to by the aggregation. An hour has what its own changes join to: what was added to a \`sum\`, or the greatest, the least or the last value. Hours are kept for ${STAT_HOUR_DAYS} days; older ones are joined in \`base\`.`,
    query: EnvironmentQuery,
    answers: {
      200: answer(
        'The statistic.',
        t.Object({
          ...members,
          base: t.Nullable(t.Number('What older hours join to; null without any.')),
          hours: t.Array(
            t.Object({ hour: t.Timestamp('When the hour began (UTC).'), value: StatValue }),
            { description: 'The hours with changes, the oldest first.' },
          ),
        }),
        {
          ...exampleOfPlayer,
          base: 100,
          hours: [{ hour: '2026-03-14T15:00:00.000Z', value: 20 }],
        },
      ),
      404: statNotFound,
    },
  },
);

export const setPlayerStat = operation(
  'PUT /v1/games/{game_id}/players/{player_id}/stats/{stat_key}',
  {
    access: 'developer',
    summary: 'Set the value of a statistic of a player',
    description:
      'The value becomes the one that is sent. Of a `sum`, the difference counts in the present hour. Of a `max` or `min`, better values of earlier hours become this one. `max_change` and `writes_from` do not count. The audit log and the story of the player have the reason, and neither has the value.',
    query: EnvironmentQuery,
    body: t.Object({
      value: StatNumber('The new value.'),
      reason: t.String('Why it is set, for the members of the game.', {
        minLength: 1,
        maxLength: 500,
      }),
    }),
    example: { value: 120, reason: 'Lost 50 coins in a crash' },
    answers: {
      200: answer('It is set.', StatOfPlayer, exampleOfPlayer),
      400: errorAnswer(
        'A field is invalid, or the value is outside the bounds of the statistic.',
        'value: coins must be at least 0, and would be -20',
      ),
      404: statNotFound,
      409: errorAnswer(
        'The statistic is archived, or moved by events alone.',
        'The statistic is archived: restore it before you set a value',
      ),
    },
  },
);
