import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { makeOutcomes } from '../../../platform/reports/experiment-outcomes.ts';
import type {
  DayOutcomes,
  ExperimentInput,
} from '../../../platform/reports/experiment-outcomes.ts';

const DAY_MS = 86_400_000;

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

export function makeDays({ from, to, variant_count, metrics }: ExperimentInput): DayOutcomes[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, place) => ({
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
