import { Button, Group, SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { MAX_HOURLY_REPORT_DAYS } from '@overworld/contract/analytics/limits';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { CsvButton } from '../../reports/csv-button.tsx';
import { KeyFilter, useKeyFilter } from '../../reports/key-filter.tsx';
import { RangePicker } from '../../reports/days/range-picker.tsx';
import { ReportCard } from '../../reports/report-card.tsx';
import { countDays } from '../../reports/days/report-days.ts';
import { useReportRange } from '../../reports/days/use-report-range.ts';
import { useGame } from '../../shell/game.ts';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { countOf, formatCalendarDay, formatCount, formatHour } from '../../ui/format.ts';
import { LineChart } from '../../ui/charts/line-chart.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { EventNames } from './event-names.tsx';

const REPORT = 'GET /v1/games/{game_id}/analytics/events';
type Counts = Answer<typeof REPORT>;

const NAMES_SHOWN = 100;
const UPDATE_EVERY_MS = 10_000;
/** Ranges so short are shown by the hour unless the reader wants days. */
const SHORT_DAYS = 2;

/** How many events of each name there were, day by day or hour by hour. */
export function EventCounts() {
  const { game_id, environment } = useGame();
  const { search, set } = useSearchState();
  const { key_id } = useKeyFilter();
  const range = useReportRange();
  const { from, to } = range;
  const days = countDays(from, to);
  const usual = days <= SHORT_DAYS ? 'hour' : 'day';
  const wanted =
    search.get('by') === 'hour' || search.get('by') === 'day' ? search.get('by') : usual;
  const by = wanted === 'hour' && days <= MAX_HOURLY_REPORT_DAYS ? 'hour' : 'day';
  const query = { environment, from, to, by, key_id, limit: NAMES_SHOWN } as const;
  const input = { params: { game_id }, query };
  const counts = useRead(REPORT, input, { every: UPDATE_EVERY_MS, keep: true });
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-start">
        <RangePicker range={range} />
        <SegmentedControl
          aria-label="Length of a period"
          data={[
            { value: 'day', label: 'By day' },
            { value: 'hour', label: 'By hour', disabled: days > MAX_HOURLY_REPORT_DAYS },
          ]}
          value={by}
          onChange={(value) => set({ by: value === usual ? null : value })}
        />
        <KeyFilter />
      </Group>
      <Loaded query={counts} skeleton={<Skeleton height={330} radius="lg" />}>
        {(data) => (
          <Chart
            counts={data}
            isUnfinished={range.isUnfinished}
            isWaiting={counts.isPlaceholderData}
            csv={
              <CsvButton
                route={REPORT}
                input={input}
                name={`events-${environment}-${from}-${to}`}
              />
            }
          />
        )}
      </Loaded>
      <Card flush>
        <EventNames counts={counts.data} error={counts.error} onRetry={() => counts.refetch()} />
      </Card>
    </Stack>
  );
}

function Chart(props: {
  counts: Counts;
  isUnfinished: boolean;
  isWaiting: boolean;
  csv: ReactNode;
}) {
  const { counts, isUnfinished, isWaiting, csv } = props;
  const { search, set } = useSearchState();
  const chosen = counts.events.find(({ event_name }) => event_name === search.get('event_name'));
  const shown = chosen ?? counts;
  const format = counts.by === 'hour' ? formatHour : formatCalendarDay;
  const rows = counts.periods.map((period, index) => ({ period, count: shown.counts[index] ?? 0 }));
  const most = rows.reduce((a, b) => (b.count > a.count ? b : a));
  return (
    <ReportCard
      id="counts"
      title={
        chosen ? (
          <>
            {formatCount(chosen.event_count)} × <code className="name">{chosen.event_name}</code>
          </>
        ) : (
          countOf(counts.event_count, 'event')
        )
      }
      caption={
        <>
          {most.count > 0 && (
            <>
              The most were <b>{formatCount(most.count)}</b> {counts.by === 'hour' ? 'from' : 'on'}{' '}
              {format(most.period)}
              {counts.by === 'hour' && ', within the hour'}.{' '}
            </>
          )}
          {counts.by === 'hour' ? 'Hours in your own time zone.' : `Days in ${counts.time_zone}.`}
          {isUnfinished && ' Today so far.'}
        </>
      }
      isWaiting={isWaiting}
      actions={
        <>
          {chosen && (
            <Button size="xs" variant="default" onClick={() => set({ event_name: null })}>
              All events
            </Button>
          )}
          {csv}
        </>
      }
      chart={
        <LineChart
          label={`${chosen?.event_name ?? 'All events'} over time`}
          periods={counts.periods.map(format)}
          series={[{ name: chosen?.event_name ?? 'Events', values: shown.counts }]}
          isLastUnfinished={isUnfinished}
        />
      }
      table={
        <DataTable
          label="Events over time"
          density="compact"
          rows={rows.toReversed()}
          rowKey={({ period }) => period}
          columns={[
            {
              id: 'period',
              head: counts.by === 'hour' ? 'Hour' : 'Day',
              value: ({ period }) => period,
              cell: ({ period }) => format(period),
            },
            {
              id: 'count',
              head: 'Events',
              align: 'end',
              value: ({ count }) => count,
              cell: ({ count }) => formatCount(count),
            },
          ]}
          empty={null}
        />
      }
    />
  );
}
