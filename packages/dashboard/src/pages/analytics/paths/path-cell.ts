import { parseOr } from '../../../api/exact-json.ts';
import type { Cell } from '../../../reports/drill-down/cells.ts';
import type { ChosenPlace } from './path-chart.tsx';
import type { Paths } from './path-words.ts';
import type { PathQuestion } from './use-path-question.ts';

/** Describes the number in a box of the chart, so that its players can be listed. */
export function cellOf(
  { from, to, steps }: Paths,
  query: PathQuestion['query'],
  { step, index }: ChosenPlace,
): Cell {
  const { event_name, filter, direction, window_hours, hide, repeats } = query;
  const start = {
    from,
    to,
    event_name,
    ...(filter !== undefined && { filter: parseOr(filter, []) as Cell['filter'] }),
  };
  if (step === 0) return { report: 'events', ...start };
  const places = steps[step - 1]!;
  const place = places[index]!;
  const listed = places.flatMap((each) => each.event_name ?? []);
  return {
    report: 'path',
    ...start,
    direction,
    ...(window_hours !== undefined && { window_hours }),
    ...(hide !== undefined && { hide }),
    repeats,
    step,
    place: place.kind,
    ...(place.kind !== 'end' && { names: place.kind === 'event' ? [place.event_name!] : listed }),
  };
}
