import { tableOf } from '../../platform/reports/csv-report.ts';
import type { CsvTable } from '../../platform/reports/csv-report.ts';
import type { BreakdownReport } from './breakdown/breakdown.ts';
import type { FunnelReport, FunnelStep } from './funnel/funnel.ts';
import type { GroupLabel } from './scan/choose-groups.ts';

const STEP_COLUMNS = [
  'players',
  'share_of_first',
  'share_of_previous',
  'median_seconds',
  'p25_seconds',
  'p75_seconds',
] as const;

/** Makes a table with a line for each step. If there are groups, the same lines follow for each group. */
export function funnelTable({ steps, groups }: FunnelReport): CsvTable {
  const lines = (group: Group, of: readonly FunnelStep[]) =>
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
    rows: [...lines(ALL, steps), ...groups.flatMap((group) => lines(group, group.steps))],
  };
}

const NUMBER_COLUMNS = [
  'events',
  'players',
  'numbers',
  'sum',
  'average',
  'minimum',
  'p25',
  'median',
  'p75',
  'p90',
  'p99',
  'maximum',
] as const;

/** Makes a table with one line for all events, and then one line for each group. */
export const breakdownTable = ({ total, groups }: BreakdownReport): CsvTable =>
  tableOf(
    'breakdown',
    ['group', 'value', ...NUMBER_COLUMNS],
    [{ ...ALL, ...total }, ...groups].map(({ kind, ...line }) => ({ group: kind, ...line })),
  );

type Group = { kind: GroupLabel['kind'] | 'all'; value: string | null };
const ALL: Group = { kind: 'all', value: null };
