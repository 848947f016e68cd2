import type { Static } from 'typebox';
import { StatKey } from '../path-parameters.ts';
import { t } from '../schema.ts';
import { MAX_STAT_VALUE } from '../stats/stat-limits.ts';
import { STAT_OPERATORS } from './filter-operators.ts';
import { PropertyFilter } from './property-filters.ts';

/** The meaning of such a condition, for descriptions. */
export const STAT_FILTER_IN_WORDS = `A condition \`{"stat", "operator", "value"}\` is about a statistic of the game by its key, with a number and any operator but \`contains\``;

/** One condition of a player search, on one statistic. */
export const StatFilter = t.Object(
  {
    stat: StatKey,
    operator: t.Enum(
      STAT_OPERATORS,
      '`ne` holds without a value, too; `exists` and `not_exists` take no value.',
    ),
    value: t.Optional(
      t.Number('Value to compare with. `exists` and `not_exists` take none.', {
        minimum: -MAX_STAT_VALUE,
        maximum: MAX_STAT_VALUE,
      }),
    ),
  },
  { title: 'StatFilter', additionalProperties: false },
);

/** One condition of a player search, on a top-level property or on a statistic. */
export const PlayerFilter = t.Unsafe<Static<typeof PropertyFilter> | Static<typeof StatFilter>>({
  // Unlike `anyOf`, this lets a message name the wrong member.
  if: { required: ['stat'] },
  // oxlint-disable-next-line unicorn/no-thenable -- A schema is never awaited.
  then: StatFilter,
  else: PropertyFilter,
});
