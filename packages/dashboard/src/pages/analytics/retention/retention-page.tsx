import { Group, SegmentedControl } from '@mantine/core';
import { DatedReport } from '../../../reports/dated-report.tsx';
import { useReport } from '../../../reports/use-report.tsx';
import { EmptyCard } from '../../../ui/empty-card.tsx';
import { formatShare } from '../../../ui/format.ts';
import { Card, Page } from '../../../ui/page.tsx';
import { useSearchChoice } from '../../../ui/search-state.ts';
import { Stat } from '../../../ui/stat.tsx';
import { lastDayOf } from './cohorts.ts';
import type { Retention } from './cohorts.ts';
import { RetentionTriangle } from './retention-triangle.tsx';
import { ReportCard } from '../../../reports/report-card.tsx';
import { LineChart, SHARES } from '../../../ui/charts/line-chart.tsx';

export function Component() {
  const [cohort, setCohort] = useSearchChoice('cohort', ['day', 'week']);
  const report = useReport(
    'GET /v1/games/{game_id}/analytics/retention',
    `retention-by-${cohort}`,
    { cohort },
  );
  return (
    <Page
      title="Retention"
      lead="Do new players come back? Put together by the day or week on which they came first."
    >
      <DatedReport
        report={report}
        filters={
          <SegmentedControl
            aria-label="Put together by"
            data={[
              { value: 'day', label: 'By day' },
              { value: 'week', label: 'By week' },
            ]}
            value={cohort}
            onChange={setCohort}
          />
        }
      >
        {(data) =>
          data.cohorts.every(({ player_count }) => player_count === 0) ? (
            <EmptyCard title="Nobody came first in these days">
              Choose other days. A player is new on the first day with an event that names it.
            </EmptyCard>
          ) : (
            <>
              <Averages retention={data} />
              <RetentionTriangle retention={data} report={report} />
              <RetentionCurve retention={data} isWaiting={report.isWaiting} />
            </>
          )
        }
      </DatedReport>
    </Page>
  );
}

/** The days by which people compare games. */
const TOLD_DAYS = [1, 3, 7, 14, 30];

/** The retention of the days that are over for at least one cohort. */
function Averages({ retention }: { retention: Retention }) {
  const told = TOLD_DAYS.flatMap((day) => {
    const share = retention.average[day] ?? null;
    return share === null ? [] : [{ day, share }];
  });
  if (told.length === 0) return null;
  return (
    <Card>
      <Group gap="md" grow>
        {told.map(({ day, share }) => (
          <Stat key={day} label={`Day ${day}`} value={formatShare(share)} />
        ))}
      </Group>
    </Card>
  );
}

/** The share of the players of all cohorts who came back on each day after the first. */
function RetentionCurve(props: { retention: Retention; isWaiting: boolean }) {
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
      table={{
        label: 'Average retention',
        rows,
        rowKey: ({ day }) => String(day),
        columns: [
          { id: 'day', head: 'After', cell: ({ day }) => `Day ${day}` },
          {
            id: 'share',
            head: 'Came back',
            align: 'end',
            cell: ({ share }) => formatShare(share),
          },
        ],
      }}
    />
  );
}
