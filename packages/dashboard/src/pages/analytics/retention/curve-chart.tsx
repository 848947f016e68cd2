import { seriesBefore } from '../../../reports/metric.tsx';
import { sum } from '../../../reports/summary.ts';
import { LineChart, SHARES } from '../../../ui/charts/line-chart.tsx';
import { linesOf } from '../../../reports/players/split-lines.ts';
import { isFew } from '../../../ui/format.ts';
import { cameBack, lastToldDay } from './cohorts.ts';
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

/** The properties of the lines of players who came back on each day, one for each group of players. */
export function curveLines(retention: Retention) {
  const { groups } = retention;
  const days = toldShares(retention).map((_share, index) => index + 1);
  return {
    label: 'Retention by group, by day after the first',
    periods: days.map((day) => `Day ${day}`),
    groups,
    lines: linesOf(groups, (of) => {
      const told = days.map((day) => {
        const parts = of.map(({ cohorts }) => cameBack(cohorts, day));
        return [sum(parts.map(([came]) => came)), sum(parts.map(([, all]) => all))] as const;
      });
      const players = told[0]?.[1] ?? 0;
      // Shares of few players are shown only in groups that are grey as a whole.
      const isTold = (all: number) => all > 0 && (isFew(players) || !isFew(all));
      return {
        values: told.map(([came, all]) => (isTold(all) ? came / all : null)),
        players,
      };
    }),
    scale: SHARES,
  };
}
