import type { ReportData } from '../../../reports/report-data.ts';
import { LineChart } from '../../../ui/charts/line-chart.tsx';
import type { Series } from '../../../ui/charts/line-chart.tsx';
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
        },
        ...(other === undefined ? [] : [other]),
      ]}
      isLastUnfinished={isUnfinished}
    />
  );
}
