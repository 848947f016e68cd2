import { UnlockedByRule } from '../achievements/rules.ts';
import { answer, errorAnswer } from '../answers.ts';
import { AskedPlayerId, SentPlayerId } from '../common.ts';
import { IDEMPOTENCY_DAYS, IdempotencyHeader } from '../idempotency.ts';
import { limitReached } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { StatKey } from '../path-parameters.ts';
import { t } from '../schema.ts';
import {
  AGGREGATIONS,
  MAX_STAT_CHANGES,
  MAX_STAT_KEYS,
  MAX_STAT_VALUE,
  STAT_DECIMALS,
} from './stat-limits.ts';

const operation = operationsIn('Statistics');

/** A number that a statistic can have. Handlers check its decimals. */
export const StatNumber = (description: string) =>
  t.Number(`${description} At most ${STAT_DECIMALS} decimals, -(2^53 - 1) to 2^53 - 1.`, {
    minimum: -MAX_STAT_VALUE,
    maximum: MAX_STAT_VALUE,
  });
export const StatValue = t.Number('The value.');
export const AggregationName = t.Enum(
  AGGREGATIONS,
  'How changes join to the value: `sum` adds them up, `max` keeps the greatest, `min` the least, `latest` the last.',
);

const changed = { stats: [{ key: 'wins', value: 37 }], unlocked: [] };

export const changeStats = operation('POST /v1/stats', {
  access: 'key',
  summary: 'Change statistics of a player',
  description: [
    `Makes 1 to ${MAX_STAT_CHANGES} changes, all or none, and answers the new values. A change of a \`sum\` is added to its value, which begins at 0; for the others, \`value\` is a value that the player has reached. Values are exact decimals, whatever the number of calls at the same time. Statistics are separate in each environment.`,
    'A change is refused if the value would leave the bounds of the statistic or -(2^53 - 1) to 2^53 - 1. A value that is outside of bounds that were set later may be changed towards them.',
    `With an \`Idempotency-Key\` header a request can be sent again without a second change: for ${IDEMPOTENCY_DAYS} days a repeat with the same key and body changes nothing, and is answered with the present values. Of each player, the last ${MAX_STAT_KEYS.toLocaleString('en')} keys are recognised. A refused request is not remembered.`,
  ].join('\n\n'),
  headers: IdempotencyHeader,
  body: t.Object({
    player_id: SentPlayerId,
    changes: t.Array(
      t.Object({
        key: StatKey,
        value: StatNumber('What to add to a `sum`, or the value that was reached.'),
      }),
      {
        minItems: 1,
        maxItems: MAX_STAT_CHANGES,
        description: 'The changes; each names another statistic.',
      },
    ),
  }),
  body_validation: 'handler',
  example: { player_id: 'player-1842', changes: [{ key: 'wins', value: 1 }] },
  answers: {
    200: answer(
      'The changes are made.',
      t.Object({
        stats: t.Array(t.Object({ key: StatKey, value: StatValue }), {
          description: 'The new values, in the order of the changes.',
        }),
        unlocked: t.Array(UnlockedByRule, {
          description:
            'The achievements that the changes have unlocked by their rules. Each unlock is told to one request; a repeat with the same `Idempotency-Key` is told none.',
        }),
      }),
      changed,
    ),
    400: answer(
      'A field is invalid, a change leaves the bounds of its statistic, or `Idempotency-Key` was used with another body. Nothing was changed.',
      t.Object({
        error: t.String('The problem in words, which name the field and the bound.'),
        code: t.Optional(t.String('`STAT_OUT_OF_BOUNDS`, if the value would leave its bounds.')),
        key: t.Optional(t.String('The statistic.')),
        value: t.Optional(t.Number('The value that it has; 0 for a new `sum`.')),
      }),
      {
        error: 'changes[0].value: coins must be at least 0, and would be -20',
        code: 'STAT_OUT_OF_BOUNDS',
        key: 'coins',
        value: 30,
      },
    ),
    403: limitReached(
      'The call may not change one of the statistics, because its token is of another player, or because the statistic takes calls with a player token or a server key alone; or the player is new, and the game has as many players as it may have.',
      'players',
    ),
    404: errorAnswer(
      'The game has no such statistic; `error` names the key. Nothing was changed.',
      'changes[1].key: the game has no statistic "coinz"',
    ),
  },
});

export const listStats = operation('GET /v1/stats', {
  access: 'key',
  summary: 'List the statistics of a player',
  description:
    'All statistics of the game by their keys, with the values of the player. An unknown player has none. Archived statistics are left out.',
  query: t.Object({ player_id: AskedPlayerId }),
  answers: {
    200: answer(
      'The statistics.',
      t.Object({
        stats: t.Array(
          t.Resource('PlayerStat', {
            key: StatKey,
            name: t.String('Its name.'),
            aggregation: AggregationName,
            value: t.Nullable(t.Number('The value; null before the first change.')),
            updated_at: t.Nullable(t.Timestamp('When it was last changed.')),
          }),
        ),
      }),
      {
        stats: [
          {
            key: 'wins',
            name: 'Wins',
            aggregation: 'sum',
            value: 37,
            updated_at: '2026-03-14T15:09:26.535Z',
          },
        ],
      },
    ),
  },
});
