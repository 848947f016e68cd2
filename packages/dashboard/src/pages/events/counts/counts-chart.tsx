import type { ReportData } from '../../../reports/report-data.ts';
import { sum } from '../../../reports/summary.ts';
import { LineChart } from '../../../ui/charts/line-chart.tsx';
import type { Series } from '../../../ui/charts/line-chart.tsx';
import { linesOf } from '../../../reports/players/split-lines.ts';
import { formatCalendarDay } from '../../../ui/format.ts';
import { formatShortMinute } from '../../../ui/time/format-time.ts';

export type Counts = ReportData['events'];

/** Writes the day or the hour at which a period begins. */
export const writePeriod = ({ by, time_zone }: Counts, period: string): string =>
  by === 'hour' ? formatShortMinute(period, time_zone) : formatCalendarDay(period);

/** Finds the counts of one event; undefined for another name. */
export const findEvent = ({ events }: Counts, event_name: string | null) =>
  events.find((each) => each.event_name === event_name);

/** A chart of the events over time: of the chosen one, or of all together. */
export function CountsChart(props: {
  counts: Counts;
  chosen: Counts['events'][number] | undefined;
  /** The periods of the axis; by default those of the report. Periods to come have no counts. */
  axis?: readonly string[];
  /** A second line for comparison. */
  other?: Series;
  isUnfinished: boolean;
}) {
  const { counts, chosen, axis = counts.periods, other, isUnfinished } = props;
  const shown = chosen ?? counts;
  return (
    <LineChart
      label={`${chosen?.event_name ?? 'All events'} over time`}
      periods={axis.map((period) => writePeriod(counts, period))}
      times={axis}
      series={[
        {
          name: chosen?.event_name ?? 'Events',
          values: axis.map((_period, place) => shown.counts[place] ?? null),
          hasFuture: true,
        },
        ...(other === undefined ? [] : [other]),
      ]}
      isLastUnfinished={isUnfinished}
    />
  );
}

/** The properties of the lines of events over time, one for each group of players. */
export const countLines = (counts: Counts, isUnfinished: boolean) => ({
  label: 'Events by group, over time',
  periods: counts.periods.map((period) => writePeriod(counts, period)),
  times: counts.periods,
  groups: counts.groups,
  lines: linesOf(
    counts.groups,
    (of) => ({
      values: counts.periods.map((_period, place) =>
        sum(of.map((group) => group.counts[place] ?? 0)),
      ),
      players: sum(of.map(({ event_count }) => event_count)),
    }),
    'few events',
  ),
  isSum: true,
  isLastUnfinished: isUnfinished,
});
