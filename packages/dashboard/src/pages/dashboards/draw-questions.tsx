import { useState } from 'react';
import { MetricChart, writeMetric } from '../../reports/metric.tsx';
import { countOf, isFew, writeShare } from '../../ui/format.ts';
import { PathChart } from '../analytics/paths/path-chart.tsx';
import type { ChosenPlace } from '../analytics/paths/path-chart.tsx';
import { unitsOf } from '../analytics/paths/path-words.ts';
import type { Paths } from '../analytics/paths/path-words.ts';
import { ConversionBars } from '../analytics/revenue/conversion-card.tsx';
import { metricsIn } from '../analytics/revenue/revenue-metrics.ts';
import type { Revenue } from '../analytics/revenue/revenue-metrics.ts';
import type { Drawn } from './drawn.ts';
import { showName } from '../../ui/shown-name.ts';

/** Draws a metric of revenue by day, or the conversion of new players. */
export function drawRevenue(data: Revenue, chart: string, today: string): Drawn | null {
  const { currency, conversion, days, period, previous } = data;
  if (chart === 'conversion') {
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
    };
  }
  if (currency === null) return null;
  const metric = metricsIn(currency).find(({ value }) => value === chart);
  if (metric === undefined) return null;
  return {
    words: (
      <>
        <b>{writeMetric(metric, period)}</b> {period.from === today ? 'today so far' : 'in all'},{' '}
        {writeMetric(metric, previous)} in the days before
      </>
    ),
    chart: <MetricChart metric={metric} days={days} isUnfinished={data.to >= today} />,
  };
}

export function drawPaths(paths: Paths): Drawn | null {
  if (paths.count === 0) return null;
  return {
    words: (
      <>
        <b>{unitsOf(paths.count, paths)}</b> with{' '}
        <code className="name">{showName(paths.event_name)}</code>
      </>
    ),
    chart: <PathsOfCard paths={paths} />,
  };
}

function PathsOfCard({ paths }: { paths: Paths }) {
  const [chosen, choose] = useState<ChosenPlace | null>(null);
  return (
    <PathChart
      paths={paths}
      name={paths.event_name}
      isNext={paths.direction === 'next'}
      chosen={chosen}
      onChoose={choose}
    />
  );
}
