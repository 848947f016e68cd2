import { ReportCard } from '../../../reports/report-card.tsx';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import { formatShare } from '../../../ui/format.ts';
import { LineChart, SHARES } from '../../../ui/charts/line-chart.tsx';
import { lastDayOf } from './cohorts.ts';
import type { Retention } from './cohorts.ts';

/** The share of the players of all cohorts who came back on each day after the first. */
export function RetentionCurve(props: { retention: Retention; isWaiting: boolean }) {
  const { retention, isWaiting } = props;
  const last = lastDayOf(retention);
  const rows = retention.average
    .slice(1, last + 1)
    .map((share, index) => ({ day: index + 1, share: share ?? 0 }));
  if (rows.length < 2) return null;
  const half = rows.find(({ share }) => share < (rows[0]?.share ?? 0) / 2);
  return (
    <ReportCard
      id="curve"
      title="How it falls"
      caption={
        <>
          On average <b>{formatShare(rows[0]!.share)}</b> come back the next day and{' '}
          <b>{formatShare(rows.at(-1)!.share)}</b> on day {last}.{' '}
          {half && `By day ${half.day}, it is less than half of those who came the next day.`}
        </>
      }
      isWaiting={isWaiting}
      chart={
        <LineChart
          label="Average retention by day after the first"
          periods={rows.map(({ day }) => `Day ${day}`)}
          series={[{ name: 'Came back', values: rows.map(({ share }) => share) }]}
          scale={SHARES}
        />
      }
      table={
        <DataTable
          label="Average retention"
          density="compact"
          rows={rows}
          rowKey={({ day }) => String(day)}
          columns={[
            { id: 'day', head: 'After', cell: ({ day }) => `Day ${day}` },
            {
              id: 'share',
              head: 'Came back',
              align: 'end',
              cell: ({ share }) => formatShare(share),
            },
          ]}
        />
      }
    />
  );
}
