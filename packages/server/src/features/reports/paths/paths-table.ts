import type { CsvTable } from '../../../platform/reports/csv-report.ts';
import type { PathsReport } from './paths.ts';

/**
 * Makes one line for each link from one event to the next. With
 * groups, a line for each event of each step of each group follows.
 */
export function pathsTable({ event_name, steps, links, groups }: PathsReport): CsvTable {
  const columns = ['step', 'from_kind', 'from', 'to_kind', 'to', 'count', 'share'];
  const rows = links.map(({ step, from, to, count, share }) => {
    const source = steps[step - 2]?.[from] ?? { kind: 'start', event_name };
    const target = steps[step - 1]![to]!;
    return [step, source.kind, source.event_name, target.kind, target.event_name, count, share];
  });
  if (groups.length === 0) return { name: 'paths', columns, rows };
  return {
    name: 'paths',
    columns: ['group', 'value', ...columns],
    rows: [
      ...rows.map((row) => ['all', null, ...row]),
      ...groups.flatMap((group) =>
        group.steps.flatMap((places, step) =>
          places.map(({ kind, event_name: name, count, share }) => [
            group.kind,
            group.value,
            step + 1,
            null,
            null,
            kind,
            name,
            count,
            share,
          ]),
        ),
      ),
    ],
  };
}
