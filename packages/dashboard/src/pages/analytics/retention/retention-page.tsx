import { Button, Group, SegmentedControl, SimpleGrid } from '@mantine/core';
import { DatedReport } from '../../../reports/dated-report.tsx';
import { useFirstDay } from '../../../reports/days/first-day.tsx';
import { addDays } from '../../../reports/days/report-days.ts';
import type { ReportRange } from '../../../reports/days/use-report-range.ts';
import { SplitCard } from '../../../reports/players/split-card.tsx';
import { PageSplitLines } from '../../../reports/players/split-chart.tsx';
import { sum } from '../../../reports/summary.ts';
import { useReport } from '../../../reports/use-report.tsx';
import type { ReportState } from '../../../reports/use-report.tsx';
import { Dimmed, Note } from '../../../ui/text.tsx';
import { Share, shareColumn } from '../../../ui/share.tsx';
import { formatCalendarDay, formatShare, writeShare } from '../../../ui/format.ts';
import { Card, EmptyCard, Page } from '../../../ui/page.tsx';
import { useSearchChoice } from '../../../ui/search-state.ts';
import { column, numberColumn } from '../../../ui/tables/columns.tsx';
import type { Column } from '../../../ui/tables/columns.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { cameBack } from './cohorts.ts';
import type { Retention } from './cohorts.ts';
import { CurveChart, curveLines, toldShares } from './curve-chart.tsx';
import { RetentionTriangle } from './retention-triangle.tsx';
import { ReportCard } from '../../../reports/report-card.tsx';

export function Component() {
  const [cohort, setCohort] = useSearchChoice('cohort', ['day', 'week']);
  const report = useReport('retention', { cohort }, { file_name: `retention-by-${cohort}` });
  return (
    <Page
      title="Retention"
      lead="Do new players come back? Grouped by the day or week of their first visit."
    >
      <DatedReport
        report={report}
        filters={
          <SegmentedControl
            aria-label="Group new players by"
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
            <EmptyCard title="No new players in these days">
              Choose other days. A player is new on the first day with an event that names it.
            </EmptyCard>
          ) : (
            <>
              <Averages retention={data} range={report.range} before={report.before} />
              <RetentionTriangle retention={data} report={report} />
              <RetentionCurve retention={data} before={report.before} report={report} />
              <SplitCard
                groups={data.groups}
                columns={GROUP_COLUMNS}
                cell={{ report: 'active-players', players: 'new', from: data.from, to: data.to }}
                isWaiting={report.isWaiting}
                chart={<PageSplitLines {...curveLines(data)} />}
                caption="The share of each group's new players who came back on that day."
              />
            </>
          )
        }
      </DatedReport>
    </Page>
  );
}

/** The days whose retention is usually compared between games. */
const TOLD_DAYS = [1, 3, 7, 14, 30];

/**
 * Shows the retention on each of these days. A day has no value while it is not over for any cohort. The card
 * then offers a range in which the day is over, or tells when the day will be over for the first players.
 */
function Averages(props: { retention: Retention; range: ReportRange; before?: Retention }) {
  const { retention, range, before } = props;
  const missing = TOLD_DAYS.filter((day) => (retention.average[day] ?? null) === null);
  // The first day is day 0, so day 30 of a player is over 31 days after the first day began.
  const last = missing.at(-1) ?? 0;
  const needed = addDays(range.today, -last - 1);
  const first_day = useFirstDay();
  const isTooShort = range.from > needed;
  const isTooEarly = first_day !== null && first_day > needed;
  return (
    <Card>
      <SimpleGrid cols={{ base: 3, xs: 5 }} spacing="md" verticalSpacing="sm">
        {TOLD_DAYS.map((day) => {
          const [came, players] = cameBack(retention.cohorts, day);
          const [came_before, players_before] = cameBack(before?.cohorts ?? [], day);
          return (
            <div key={day}>
              <Stat label={`Day ${day}`} value={<Share part={came} whole={players} />} />
              {before !== undefined && (
                <Note>before {writeShare(came_before, players_before)}</Note>
              )}
            </div>
          );
        })}
      </SimpleGrid>
      {missing.length > 0 && (
        <Group gap="xs" mt="sm">
          <Dimmed>
            No new player of these days has had {missing.length === 1 ? 'day' : 'days'}{' '}
            {missing.join(', ')} yet.{' '}
            {isTooEarly
              ? `The first players came on ${formatCalendarDay(first_day)}, and their day ${last} is over on ${formatCalendarDay(addDays(first_day, last + 1))}.`
              : isTooShort &&
                `Day ${last} needs players who were new on ${formatCalendarDay(needed)} or before.`}
          </Dimmed>
          {isTooShort && first_day !== null && !isTooEarly && (
            <Button size="compact-sm" variant="default" onClick={() => range.setPreset('90')}>
              Show 90 days
            </Button>
          )}
        </Group>
      )}
    </Card>
  );
}

type RetentionGroup = Retention['groups'][number];

const GROUP_COLUMNS: Column<RetentionGroup>[] = [
  numberColumn('players', 'New players', ({ cohorts }) =>
    sum(cohorts.map(({ player_count }) => player_count)),
  ),
  ...TOLD_DAYS.map((day) =>
    shareColumn(`day ${day}`, `Day ${day}`, ({ cohorts }: RetentionGroup) =>
      cameBack(cohorts, day),
    ),
  ),
];

function RetentionCurve(props: { retention: Retention; before?: Retention; report: ReportState }) {
  const { retention, before, report } = props;
  const rows = toldShares(retention).map((share, index) => ({ day: index + 1, share }));
  if (rows.length < 2) return null;
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const half = rows.find(({ share }) => share < first.share / 2);
  return (
    <ReportCard
      id="curve"
      title="Players who came back, by day"
      caption={
        <>
          On average <b>{formatShare(first.share)}</b> come back the next day and{' '}
          <b>{formatShare(last.share)}</b> on day {last.day}.{' '}
          {half && `By day ${half.day}, it is less than half of those who came the next day.`}
        </>
      }
      isWaiting={report.isWaiting}
      actions={report.pin('curve', 'Average retention')}
      chart={<CurveChart retention={retention} before={before} />}
      table={{
        label: 'Average retention',
        rows,
        rowKey: ({ day }) => String(day),
        columns: [
          column<(typeof rows)[number]>('day', 'After', ({ day }) => `Day ${day}`),
          column<(typeof rows)[number]>('share', 'Came back', { align: 'end' }, ({ share }) =>
            formatShare(share),
          ),
        ],
      }}
    />
  );
}
