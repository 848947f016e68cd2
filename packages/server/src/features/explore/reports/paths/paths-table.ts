import type { CsvTable } from '../../../../platform/reports/csv-report.ts';
import type { PathsReport } from './paths.ts';

/** One line for each step from one event to the next. */
export const pathsTable = ({ event_name, steps, links }: PathsReport): CsvTable => ({
  name: 'paths',
  columns: ['step', 'from_kind', 'from', 'to_kind', 'to', 'count', 'share'],
  rows: links.map(({ step, from, to, count, share }) => {
    const source = steps[step - 2]?.[from] ?? { kind: 'start', event_name };
    const target = steps[step - 1]![to]!;
    return [step, source.kind, source.event_name, target.kind, target.event_name, count, share];
  }),
});
