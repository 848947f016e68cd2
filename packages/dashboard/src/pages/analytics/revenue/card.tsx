import { groupsOf, sharesOf } from '../../../reports/cards/card-groups.tsx';
import type { DrawCard, Drawn, GroupNumbers } from '../../../reports/cards/draw-card.ts';
import { CardSplitLines, metricLines } from '../../../reports/players/split-chart.tsx';
import { todayIn } from '../../../reports/days/report-days.ts';
import { MetricChart, writeMetric } from '../../../reports/metric.tsx';
import { countOf, isFew, writeShare } from '../../../ui/format.ts';
import { ConversionBars } from './conversion-card.tsx';
import { metricsIn, sizeOf } from './revenue-metrics.ts';
import type { Revenue, RevenueMetric } from './revenue-metrics.ts';

/** Draws a metric of revenue by day, or the conversion of new players. */
export const drawRevenue: DrawCard<'revenue'> = (data, { chart }) => {
  if (chart === 'conversion') return drawConversion(data);
  const { currency, days, period, previous, groups } = data;
  if (currency === null) return null;
  const metric = metricsIn(currency).find(({ value }) => value === chart);
  if (metric === undefined) return null;
  const today = todayIn(data.time_zone);
  return {
    words: (
      <>
        <b>{writeMetric(metric, period)}</b> {period.from === today ? 'today so far' : 'in all'},{' '}
        {writeMetric(metric, previous)} in the days before
      </>
    ),
    chart:
      groups.length > 0 ? (
        <CardSplitLines {...metricLines(metric, groups, data.to >= today, sizeOf)} />
      ) : (
        <MetricChart metric={metric} days={days} isUnfinished={data.to >= today} />
      ),
    groups: metricOf(metric, groups),
  };
};

const metricOf = (metric: RevenueMetric, groups: Revenue['groups']): GroupNumbers =>
  metric.isShare
    ? sharesOf(metric.name, groups, ({ period: { paying_share, active_players } }) => [
        Math.round((paying_share ?? 0) * active_players),
        active_players,
      ])
    : groupsOf(metric.name, groups, ({ period }) => metric.of(period), metric.write);

function drawConversion({ conversion, groups }: Revenue): Drawn | null {
  const known = conversion.filter(({ players }) => players > 0);
  const last = known.at(-1);
  if (last === undefined) return null;
  return {
    words: (
      <>
        <b>{writeShare(last.payers, last.players)}</b>
        {!isFew(last.players) && ` of ${countOf(last.players, 'new player')}`} had paid by day{' '}
        {last.day}
      </>
    ),
    chart: <ConversionBars conversion={known} />,
    groups: sharesOf(`Had paid by day ${last.day}`, groups, (group) => {
      const found = group.conversion.find(({ day }) => day === last.day);
      return [found?.payers ?? 0, found?.players ?? 0];
    }),
  };
}
