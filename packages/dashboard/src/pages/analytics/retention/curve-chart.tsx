import { seriesBefore } from '../../../reports/metric.tsx';
import { LineChart, SHARES } from '../../../ui/charts/line-chart.tsx';
import { lastToldDay } from './cohorts.ts';
import type { Retention } from './cohorts.ts';

/** Lists the shares of all players who came back, for each day after the first that has enough players. */
export const toldShares = (retention: Retention): number[] =>
  retention.average.slice(1, lastToldDay(retention) + 1).map((share) => share ?? 0);

/**
 * A chart of the share of all players who came back on each day after the first.
 * @param props.before The report on the previous period, if the reader compares.
 */
export function CurveChart({ retention, before }: { retention: Retention; before?: Retention }) {
  const shares = toldShares(retention);
  const earlier = before === undefined ? [] : toldShares(before).slice(0, shares.length);
  return (
    <LineChart
      label="Average retention by day after the first"
      periods={shares.map((_share, index) => `Day ${index + 1}`)}
      series={[
        { name: 'Came back', values: shares },
        ...(earlier.length === 0 ? [] : [seriesBefore(earlier)]),
      ]}
      scale={SHARES}
    />
  );
}
