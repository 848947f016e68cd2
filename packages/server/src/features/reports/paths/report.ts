import { getPaths } from '@overworld/contract/analytics/paths';
import { badRequest } from '../../../platform/errors.ts';
import type { CsvTable } from '../../../platform/reports/csv-report.ts';
import type { EventReport } from '../report-description.ts';
import { readEvents } from '../request/conditions.ts';
import type { PathsInput, PathsReport } from './paths.ts';

/** The events that follow or precede an event. */
export const paths: EventReport<
  typeof getPaths,
  Pick<
    PathsInput,
    'events' | 'direction' | 'window_hours' | 'hide' | 'steps' | 'limit' | 'joins_repeats'
  >
> = {
  operation: getPaths,
  readQuestion({ event_name, filter, hide = [], window_hours = null, repeats, ...query }) {
    if (hide.includes(event_name)) throw badRequest('hide must not hold the event_name');
    const { direction, steps, limit } = query;
    const events = readEvents(event_name, filter);
    const joins_repeats = repeats === 'join';
    return { events, direction, window_hours, hide, steps, limit, joins_repeats };
  },
  toTable: pathsTable,
};

/**
 * Makes one line for each link from one event to the next. With
 * groups, a line for each event of each step of each group follows.
 */
function pathsTable({ event_name, steps, links, groups }: PathsReport): CsvTable {
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
