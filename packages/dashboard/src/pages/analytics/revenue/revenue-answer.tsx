import { Button, Stack } from '@mantine/core';
import { DrillDownButton } from '../../../reports/drill-down/drill-down-button.tsx';
import { useDrillDown } from '../../../reports/drill-down/cells.ts';
import { SplitCard } from '../../../reports/players/split-card.tsx';
import { MetricSplitLines } from '../../../reports/players/split-chart.tsx';
import {
  changeOf,
  isOfFew,
  MetricNumber,
  sortValueOf,
  writeMetric,
} from '../../../reports/metric.tsx';
import { MetricsCard } from '../../../reports/metrics-card.tsx';
import type { ReportState } from '../../../reports/use-report.tsx';
import { shareColumn } from '../../../ui/share.tsx';
import { spanWords } from '../../../ui/format.ts';
import { column, dayColumn } from '../../../ui/tables/columns.tsx';
import type { Column } from '../../../ui/tables/columns.tsx';
import { ConversionCard } from './conversion-card.tsx';
import { CurrenciesCard } from './currencies-card.tsx';
import { LeftOut, leftOutCount } from './left-out.tsx';
import { metricsIn, pinnedCurrency, sizeOf } from './revenue-metrics.ts';
import type { Revenue, RevenueMetric } from './revenue-metrics.ts';
import type { RevenueSettings } from './settings/settings-form.ts';
import type { Cell } from '../../../reports/drill-down/cells.ts';
import { EmptyCard } from '../../../ui/page.tsx';
import { showName } from '../../../ui/shown-name.ts';

interface AnswerProps {
  data: Revenue;
  settings: RevenueSettings;
  report: ReportState;
  onRates: () => void;
}

/** Shows the revenue by day, and the share of the new players who pay. */
export function RevenueAnswer({ data, settings, report, onRates }: AnswerProps) {
  const { currency, currencies, period, previous } = data;
  if (currency === null || (currencies.length === 0 && previous.purchase_count === 0)) {
    return (
      <Stack gap="md">
        <EmptyCard title="Nothing was bought in these days">
          <code className="name">{showName(settings.event_name)}</code> did not happen, or not with
          an amount that counts.{' '}
          {leftOutCount(data) === 0 && period.to >= report.range.today && 'Choose other days.'}
        </EmptyCard>
        <LeftOut data={data} settings={settings} />
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <LeftOut data={data} settings={settings} />
      <NumbersCard data={data} currency={currency} report={report} />
      <ConversionCard data={data} report={report} />
      <SplitCard
        groups={data.groups}
        columns={groupColumns(currency, data)}
        cell={payersCell(data, period)}
        isWaiting={report.isWaiting}
        chart={
          <MetricSplitLines
            metrics={metricsIn(currency)}
            groups={data.groups}
            isUnfinished={report.range.isUnfinished}
            sizeOf={sizeOf}
          />
        }
        caption="The figures of the days that are over. A group opens its payers; the groups with the most active players come first."
      />
      {(currencies.length > 1 || currencies.some(({ has_rate }) => !has_rate)) && (
        <CurrenciesCard data={data} settings={settings} onRates={onRates} />
      )}
    </Stack>
  );
}

function NumbersCard(props: { data: Revenue; currency: string; report: ReportState }) {
  const { data, currency, report } = props;
  const { show: showPlayers } = useDrillDown();
  const { period, previous, days, previous_days, time_zone, is_converted } = data;
  const { isUnfinished } = report.range;
  const metrics = metricsIn(currency);
  const isToday = period.from >= report.range.today;
  return (
    <MetricsCard
      id="revenue"
      metrics={metrics}
      days={days}
      report={report}
      caption={() => (
        <>
          <b>{writeMetric(metrics[0]!, period)}</b>{' '}
          {isToday ? 'today so far' : spanWords(period.from, period.to)}, after{' '}
          <b>{writeMetric(metrics[0]!, previous)}</b> {spanWords(previous.from, previous.to)}.{' '}
          {is_converted && `All currencies are converted into ${currency} by your rates. `}
          {!isToday && isUnfinished && 'The figures leave today out. '}
          Days in {time_zone}.
        </>
      )}
      figureOf={(metric) => ({
        name: metric.name,
        number: writeMetric(metric, period),
        isOfFew: isOfFew(metric, period),
        compared: [
          [isToday ? 'Yesterday' : 'Before', writeMetric(metric, previous)],
          ['Change', changeOf(metric, previous, period) ?? '–'],
        ],
      })}
      compared={(metric) =>
        previous_days.length > 1 && previous.purchase_count > 0
          ? {
              name: `the ${previous_days.length} days before`,
              values: previous_days.map((day) => metric.of(day) ?? 0),
              isCompared: true,
            }
          : null
      }
      actions={
        period.payers > 0 && (
          <Button size="xs" variant="default" onClick={() => showPlayers(payersCell(data, period))}>
            Show payers
          </Button>
        )
      }
      pinned={pinnedCurrency(data)}
      table={{
        label: 'Revenue by day',
        rows: days.toReversed(),
        rowKey: ({ day }) => day,
        columns: [dayColumn<Day>(), ...metrics.map((each) => toColumn(each, data))],
      }}
    />
  );
}

type RevenueGroup = Revenue['groups'][number];

/**
 * The columns of the table of groups: the metrics of the period, and the share of new players who had
 * paid by the last known day.
 */
function groupColumns(currency: string, { conversion }: Revenue): Column<RevenueGroup>[] {
  const day = conversion.findLast(({ players }) => players > 0)?.day;
  const partsOf = ({ conversion: own }: RevenueGroup) => {
    const found = own.find((each) => each.day === day);
    return found === undefined ? null : ([found.payers, found.players] as const);
  };
  return [
    ...metricsIn(currency).map((metric) =>
      column(
        metric.value,
        metric.name,
        { align: 'end', value: ({ period }: RevenueGroup) => sortValueOf(metric, period) },
        ({ period }: RevenueGroup) => <MetricNumber metric={metric} day={period} />,
      ),
    ),
    ...(day === undefined ? [] : [shareColumn('conversion', `Had paid by day ${day}`, partsOf)]),
  ];
}

type Day = Revenue['days'][number];

/** Makes the column of a metric. In the column of payers, a click on a number lists these players. */
const toColumn = (metric: RevenueMetric, data: Revenue) =>
  column(
    metric.value,
    metric.name,
    { align: 'end' as const, value: (of: Day) => sortValueOf(metric, of) },
    (numbers: Day) => {
      const { day, payers } = numbers;
      const text = <MetricNumber metric={metric} day={numbers} />;
      if (metric.value !== 'payers' || payers === 0) return text;
      return (
        <DrillDownButton cell={payersCell(data, { from: day, to: day })}>{text}</DrillDownButton>
      );
    },
  );

/** Describes the number of payers on these days, so that these players can be listed. */
const payersCell = (
  { currency, is_converted }: Revenue,
  { from, to }: { from: string; to: string },
): Cell => ({
  report: 'revenue',
  from,
  to,
  ...(!is_converted && currency !== null && { currency }),
});
