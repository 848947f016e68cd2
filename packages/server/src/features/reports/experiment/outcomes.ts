import { sql } from '../../../platform/database/sql.ts';
import { addDays, countDays } from '../days.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { makeOutcomes } from '../../../platform/reports/experiment-outcomes.ts';
import type {
  DayOutcomes,
  ExperimentInput,
} from '../../../platform/reports/experiment-outcomes.ts';

export function makeDays(input: ExperimentInput): DayOutcomes[] {
  const { from, variant_count, metrics } = input;
  return Array.from({ length: countDays(input) }, (_, place) => ({
    day: addDays(from, place),
    ...makeOutcomes(variant_count, metrics.length),
  }));
}

/** SQL that is true for exposures of the experiment on the days of the input. */
export const isExposure = (input: ExperimentInput): Sql =>
  sql`game_id = ${input.game_id}::uuid AND environment = ${input.environment}::environment
    AND experiment_id = ${input.experiment_id}::uuid
    AND exposed_at >= ${input.from}::date::timestamp AT TIME ZONE 'UTC'
    AND exposed_at < (${input.to}::date + 1)::timestamp AT TIME ZONE 'UTC'`;

/** SQL for the number of days from the first day of the input to the day of an exposure. */
export const dayPlace = ({ from }: ExperimentInput): Sql =>
  sql`((exposed_at AT TIME ZONE 'UTC')::date - ${from}::date)`;
