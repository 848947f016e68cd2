import { getFunnel } from '@overworld/contract/analytics/funnel';
import { ALL_LABEL } from '../../../platform/reports/csv-report.ts';
import type { CsvTable, GroupPart } from '../../../platform/reports/csv-report.ts';
import type { EventReport } from '../report-description.ts';
import { readSteps, requireOneSplit } from '../request/conditions.ts';
import type { FunnelInput, FunnelReport, FunnelStep } from './funnel.ts';

/** The players who took steps in order. */
export const funnel: EventReport<
  typeof getFunnel,
  Pick<FunnelInput, 'steps' | 'window_minutes' | 'breakdown' | 'limit'>
> = {
  operation: getFunnel,
  readQuestion({ steps, window_minutes, breakdown = null, limit, split_by }) {
    const question = { steps: readSteps(steps), window_minutes, breakdown, limit };
    requireOneSplit(split_by, 'breakdown', breakdown);
    return question;
  },
  toTable: funnelTable,
};

const STEP_COLUMNS = [
  'players',
  'share_of_first',
  'share_of_previous',
  'median_seconds',
  'p25_seconds',
  'p75_seconds',
] as const;

/** Makes a table with a line for each step. If there are groups, the same lines follow for each group. */
function funnelTable({ steps, groups }: FunnelReport): CsvTable {
  const lines = (group: GroupPart, of: readonly FunnelStep[]) =>
    of.map((step, index) => [
      group.kind,
      group.value,
      index + 1,
      step.event_name,
      ...STEP_COLUMNS.map((column) => step[column]),
    ]);
  return {
    name: 'funnel',
    columns: ['group', 'value', 'step', 'event_name', ...STEP_COLUMNS],
    rows: [...lines(ALL_LABEL, steps), ...groups.flatMap((group) => lines(group, group.steps))],
  };
}
