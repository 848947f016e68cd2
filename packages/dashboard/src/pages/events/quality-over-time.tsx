import { addDays, countDays } from '../../reports/days/report-days.ts';
import { MetricsCard } from '../../reports/metrics-card.tsx';
import type { Metric } from '../../reports/metrics-card.tsx';
import { sum } from '../../reports/summary.ts';
import type { ReportState } from '../../reports/use-report.tsx';
import { countOf, formatCompact, formatCount } from '../../ui/format.ts';
import { countColumn, dayColumn } from '../../ui/tables/columns.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { PROBLEMS, totalsOf } from './quality-problems.ts';
import type { Quality, QualityDay, QualityTotals } from './quality-problems.ts';

interface Day extends QualityTotals {
  day: string;
}

const METRICS = PROBLEMS.map(({ value, name, member, words }) => ({
  value,
  name,
  words,
  of: (day: Day) => day[member],
  write: formatCompact,
})) satisfies Metric<Day>[];

/** The API key of each row, which may be deleted by now. */
export const KEY_COLUMN: Column<{ key_name: string | null }> = {
  id: 'key',
  head: 'API key',
  value: ({ key_name }) => key_name,
  cell: ({ key_name }) => <span className="name">{key_name ?? 'a deleted key'}</span>,
};

export function QualityOverTime({ quality, report }: { quality: Quality; report: ReportState }) {
  const { from, to, time_zone } = quality;
  const byDay = Map.groupBy(quality.days, ({ day }) => day);
  const days = Array.from({ length: countDays(from, to) }, (_, index) => {
    const day = addDays(from, index);
    return { day, ...totalsOf(byDay.get(day) ?? []) };
  });
  const received = sum(days.map(({ event_count }) => event_count));
  return (
    <MetricsCard
      id="problems"
      metrics={METRICS}
      days={days}
      report={report}
      today="today"
      caption={({ of, words }) => (
        <>
          <b>{countOf(sum(days.map(of)), 'event')}</b> {words}, of {formatCount(received)} received.
          Days of receipt, in {time_zone}.
        </>
      )}
      table={
        <DataTable
          label="Data quality by day and API key"
          density="compact"
          rows={quality.days.toReversed()}
          rowKey={({ day, key_id }) => `${day} ${key_id}`}
          columns={[
            dayColumn<QualityDay>(),
            KEY_COLUMN,
            countColumn('event_count', 'Received', ({ event_count }: QualityDay) => event_count),
            ...PROBLEMS.map(({ member, name }) =>
              countColumn(member, name, (row: QualityDay) => row[member]),
            ),
          ]}
        />
      }
    />
  );
}
