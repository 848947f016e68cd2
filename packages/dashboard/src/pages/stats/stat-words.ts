import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import type { Answer } from '../../api/operations.ts';
import { describe } from '../../ui/conditions/conditions.ts';
import { formatScore } from '../../ui/format.ts';

export type Stat = Answer<'GET /v1/games/{game_id}/stats'>['stats'][number];
type StatSource = NonNullable<Stat['source']>;

/** How the changes of a statistic join to its value, in words. */
export const AGGREGATION_WORDS: Record<Aggregation, string> = {
  sum: 'Added up',
  max: 'The greatest',
  min: 'The least',
  latest: 'The last',
};

/** Describes the events that move a statistic, such as `chest_opened: gold, level ≥ 5`. */
export function sourceWords({ event_name, conditions = [], property }: StatSource): string {
  const parts = [...(property ? [property] : []), ...conditions.map(describe)];
  return parts.length === 0 ? event_name : `${event_name}: ${parts.join(', ')}`;
}

/** Describes the limits of a statistic, such as `at least 0, 1,000 a call`; an empty text without any. */
export const limitWords = ({
  minimum,
  maximum,
  max_change,
}: Pick<Stat, 'minimum' | 'maximum' | 'max_change'>): string =>
  [
    minimum !== null && `at least ${formatScore(minimum)}`,
    maximum !== null && `at most ${formatScore(maximum)}`,
    max_change !== null && `${formatScore(max_change)} a call`,
  ]
    .filter((words) => words !== false)
    .join(', ');
