import { answer, errorAnswer, ErrorWith, notFoundInGame, PageOf, UsedBy } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { limitReached } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { NewStatKey, StatKey } from '../path-parameters.ts';
import { WritesFromName } from '../players/verification.ts';
import { PropertyFilter } from '../players/property-filters.ts';
import { t } from '../schema.ts';
import { MAX_SOURCE_CONDITIONS } from './stat-limits.ts';
import { AggregationName, StatNumber } from './stats.ts';

const operation = operationsIn('Statistics (dashboard)');

const NAME = 'Name of the statistic.';

export const Fields = {
  name: t.NewName(NAME),
  description: t.String('What it counts.', { maxLength: 2_000 }),
  aggregation: AggregationName,
  minimum: t.Nullable(StatNumber('The least value that it may have; null for no such bound.')),
  maximum: t.Nullable(StatNumber('The greatest value that it may have; null for no such bound.')),
  max_change: t.Nullable(
    StatNumber(
      'The most that one call may add to a `sum` or take from it, more than 0; null for no such limit. Other aggregations have none.',
    ),
  ),
  writes_from: WritesFromName,
  source: t.Nullable(
    t.Object(
      {
        event_name: t.Name('Name of the events.'),
        conditions: t.Optional(
          t.Array(PropertyFilter, {
            maxItems: MAX_SOURCE_CONDITIONS,
            description: 'Conditions on properties of the events, which must all hold.',
          }),
        ),
        property: t.Optional(
          t.Nullable(
            t.String(
              'The property whose numbers count, rounded to six decimals; events without a number do not count. Null counts the events, which needs the aggregation `sum`.',
              { minLength: 1, maxLength: 255 },
            ),
          ),
        ),
      },
      {
        additionalProperties: false,
        description:
          'The events that move it, by their own times; null for a statistic that calls change. With a source it has no bounds, no `max_change` and no `writes_from`.',
      },
    ),
  ),
};

export const optionalFields = {
  description: t.Optional(Fields.description),
  aggregation: t.Optional(Fields.aggregation),
  minimum: t.Optional(Fields.minimum),
  maximum: t.Optional(Fields.maximum),
  max_change: t.Optional(Fields.max_change),
  writes_from: t.Optional(Fields.writes_from),
  source: t.Optional(Fields.source),
};

export const Stat = t.Resource('Stat', {
  key: StatKey,
  ...Fields,
  name: t.Name(NAME),
  archived: t.Boolean('It is no longer changed or listed for games. Players keep their values.'),
  is_counting: t.Boolean('Whether its values are still being counted from the stored events.'),
  created_at: t.Timestamp('When it was made.'),
  updated_at: t.Timestamp('When it was last changed.'),
});

export const exampleStat = {
  key: 'coins',
  name: 'Coins',
  description: 'Coins that the player can spend',
  aggregation: 'sum',
  minimum: 0,
  maximum: null,
  max_change: 1_000,
  writes_from: 'anyone',
  source: null,
  archived: false,
  is_counting: false,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
};

const statNotFound = notFoundInGame('statistic');

const hasData = errorAnswer(
  'The key is taken, also by an archived statistic; or the aggregation would change, or get a source, while players have values. Nothing was changed.',
  'A statistic with this key exists already',
);

export const listGameStats = operation('GET /v1/games/{game_id}/stats', {
  access: 'viewer',
  summary: 'List all statistics of a game and count the players who have values',
  description:
    'By key, with archived statistics. The counts are for one environment. The list has one page: `next_cursor` is always null.',
  query: EnvironmentQuery,
  answers: {
    200: answer(
      'The statistics.',
      PageOf(
        'stats',
        t.Object({
          ...Stat.properties,
          player_count: t.Integer('Players who have a value.'),
        }),
      ),
      { stats: [{ ...exampleStat, player_count: 811 }], next_cursor: null },
    ),
  },
});

export const createStat = operation('POST /v1/games/{game_id}/stats', {
  access: 'developer',
  summary: 'Define a statistic',
  description:
    "The key cannot be changed later. Archived statistics count towards the limit of the game. Definitions are shared by the game's environments.",
  body: t.Object({ key: NewStatKey, name: Fields.name, ...optionalFields }),
  example: { key: 'coins', name: 'Coins', aggregation: 'sum', minimum: 0, max_change: 1_000 },
  answers: {
    201: answer('It is defined.', Stat, exampleStat),
    403: limitReached('The role does not allow it, or the game has reached its limit.', 'stats'),
    409: hasData,
  },
});

export const updateStat = operation('PATCH /v1/games/{game_id}/stats/{stat_key}', {
  access: 'developer',
  summary: 'Change, archive or restore a statistic',
  description:
    'Fields that are left out stay as they are. `aggregation` cannot change while players of either environment have values. Nor can a source be set then. A new or changed source is counted from the stored events in the background, and the events of the game wait meanwhile (503 while the game is being counted). Values outside of new bounds stay. Bounds take effect at once, `max_change` and `writes_from` on every server within a second.',
  body: t.Changes({
    name: Fields.name,
    ...optionalFields,
    archived: t.Boolean('True archives it, false restores it.'),
  }),
  example: { max_change: 500 },
  answers: {
    200: answer('It is changed.', Stat, { ...exampleStat, max_change: 500 }),
    404: statNotFound,
    409: hasData,
  },
});

export const deleteStat = operation('DELETE /v1/games/{game_id}/stats/{stat_key}', {
  access: 'developer',
  summary: 'Delete a statistic, or archive it when players have values',
  description:
    'If any player has a value in either environment, it is archived instead, and these players keep their values. `result` says which of the two happened. A statistic that achievements, configs, experiments, messages to many players, schedules of messages, saved reports or dashboards use must be taken out of them first. Messages to one player are not asked: their other rewards are given.',
  answers: {
    200: answer(
      'It is deleted or archived.',
      t.Object({
        key: StatKey,
        result: t.Enum(['deleted', 'archived'], 'Whether it was deleted or archived.'),
      }),
      { key: 'coins', result: 'archived' },
    ),
    404: statNotFound,
    409: answer(
      'Other definitions use the statistic; `used_by` names them.',
      ErrorWith({ used_by: UsedBy }),
      {
        error:
          'The statistic "coins" is used by the saved segment "Rich": take it out of them first, or archive it',
        used_by: ['the saved segment "Rich"'],
      },
    ),
  },
});
