import { getProgression } from '@overworld/contract/analytics/progression';
import type { CsvTable, GroupPart } from '../../../platform/reports/csv-report.ts';
import { ALL_LABEL } from '../../../platform/reports/csv-report.ts';
import type { EventReport } from '../report-description.ts';
import { readEvents } from '../request/conditions.ts';
import type { ProgressionInput, ProgressionReport, ProgressionStep } from './progression.ts';

/** The starts, fails and completions of levels, or of any other steps. */
export const progression: EventReport<
  typeof getProgression,
  Pick<ProgressionInput, 'events' | 'property' | 'page'>
> = {
  operation: getProgression,
  readQuestion({ start_event, fail_event, complete_event, property, filter, ...query }) {
    const { format, limit, offset } = query;
    const eventsOf = (name: string | undefined) =>
      name === undefined ? null : readEvents(name, filter);
    return {
      events: {
        start: readEvents(start_event, filter),
        fail: eventsOf(fail_event),
        complete: eventsOf(complete_event),
      },
      property,
      page: format === 'csv' ? null : { limit, offset },
    };
  },
  toTable: progressionTable,
};

const COLUMNS = [
  'starts',
  'fails',
  'completions',
  'players',
  'started_players',
  'failed_players',
  'completed_players',
  'fail_ratio',
  'tries_per_completion',
  'left',
  'left_unfinished',
  'left_share',
] as const;

/** Makes a table with a line for each step. If there are groups, the same lines follow for each group. */
function progressionTable({ steps, groups }: ProgressionReport): CsvTable {
  const lines = (group: GroupPart, of: readonly ProgressionStep[]) =>
    of.map((step) => [
      ...(groups.length > 0 ? [group.kind, group.value] : []),
      step.value,
      ...COLUMNS.map((column) => step[column]),
    ]);
  return {
    name: 'progression',
    columns: [...(groups.length > 0 ? ['group', 'value'] : []), 'step', ...COLUMNS],
    rows: [...lines(ALL_LABEL, steps), ...groups.flatMap((group) => lines(group, group.steps))],
  };
}
