import type { ReportData } from '../../../reports/report-data.ts';
import { countOf } from '../../../ui/format.ts';

export type Paths = ReportData['path'];
export type PathPlace = Paths['steps'][number][number];

/** Names a place on a path. A null `place` stands for the event `start`, at which the paths begin. */
export function placeName(place: PathPlace | null, start: string, isNext: boolean): string {
  if (place === null) return start;
  if (place.kind === 'other') return 'All others';
  if (place.kind === 'end') return isNext ? 'Ended here' : 'Began here';
  return place.event_name!;
}

export const unitsOf = (count: number, { unit }: Pick<Paths, 'unit'>) =>
  countOf(count, unit === 'sessions' ? 'session' : 'player');
