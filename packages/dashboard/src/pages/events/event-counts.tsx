import { Anchor, Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCalendarDay, formatCount, formatHour, formatShare } from '../../ui/format.ts';
import { LineChart } from '../../ui/line-chart.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { daysBefore } from '../../reports/report-days.ts';
import classes from './event-table.module.css';

type Counts = Answer<'GET /v1/games/{game_id}/analytics/events'>;
type NameCounts = Counts['events'][number];

const RANGES = [
  { value: '2', label: '48 hours', by: 'hour' },
  { value: '7', label: '7 days', by: 'day' },
  { value: '30', label: '30 days', by: 'day' },
  { value: '90', label: '90 days', by: 'day' },
] as const;
const NAMES_SHOWN = 100;
const UPDATE_EVERY_MS = 10_000;

/** How many events of each name there were, day by day or hour by hour. */
export function EventCounts() {
  const { game, game_id, environment } = useGame();
  const { search, set } = useSearchState();
  const range = RANGES.find(({ value }) => value === search.get('range')) ?? RANGES[2];
  const counts = useRead(
    'GET /v1/games/{game_id}/analytics/events',
    {
      params: { game_id },
      query: {
        environment,
        by: range.by,
        from: daysBefore(Number(range.value) - 1, game.time_zone),
        limit: NAMES_SHOWN,
      },
    },
    { every: UPDATE_EVERY_MS, keep: true },
  );
  const chosen = counts.data?.events.find(
    ({ event_name }) => event_name === search.get('event_name'),
  );
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <SegmentedControl
          aria-label="Range"
          data={RANGES.map(({ value, label }) => ({ value, label }))}
          value={range.value}
          onChange={(value) => set({ range: value === RANGES[2].value ? null : value })}
        />
        {chosen && (
          <Button variant="default" onClick={() => set({ event_name: null })}>
            All events
          </Button>
        )}
      </Group>
      <Loaded query={counts} skeleton={<Skeleton height={330} radius="lg" />}>
        {(data) => (
          <Card title={<Title counts={data} chosen={chosen} />}>
            <LineChart
              label={`${chosen?.event_name ?? 'All events'} over time`}
              periods={data.periods.map(data.by === 'hour' ? formatHour : formatCalendarDay)}
              series={[
                {
                  name: chosen?.event_name ?? 'Events',
                  values: chosen?.counts ?? data.counts,
                },
              ]}
              isLastUnfinished
            />
            <Text size="xs" c="dimmed" mt={8}>
              {data.by === 'hour'
                ? 'Hours in your own time zone.'
                : `Days in ${data.time_zone}. Today so far.`}
            </Text>
          </Card>
        )}
      </Loaded>
      <Card flush>
        <Names counts={counts.data} error={counts.error} onRetry={() => counts.refetch()} />
      </Card>
    </Stack>
  );
}

function Title({ counts, chosen }: { counts: Counts; chosen: NameCounts | undefined }) {
  return chosen ? (
    <>
      {formatCount(chosen.event_count)} × <code className="name">{chosen.event_name}</code>
    </>
  ) : (
    <>{formatCount(counts.event_count)} events</>
  );
}

function Names(props: { counts: Counts | undefined; error: unknown; onRetry: () => void }) {
  const { counts, error, onRetry } = props;
  const { path } = useGame();
  const { search, set } = useSearchState();
  const total = counts?.event_count ?? 0;
  return (
    <>
      <DataTable
        label="Events by name"
        minWidth={520}
        rows={counts?.events}
        error={error}
        onRetry={onRetry}
        rowKey={({ event_name }) => event_name}
        columns={[
          {
            id: 'event',
            head: 'Event',
            value: ({ event_name }) => event_name,
            cell: ({ event_name }) => (
              <button
                type="button"
                className={classes.name}
                aria-pressed={event_name === search.get('event_name')}
                onClick={() => set({ event_name })}
              >
                <code className="truncate">{event_name}</code>
              </button>
            ),
          },
          {
            id: 'trend',
            head: 'Over time',
            width: 132,
            cell: ({ counts: values }) => <Sparkline values={values} />,
          },
          {
            id: 'count',
            head: 'Events',
            align: 'end',
            width: 110,
            value: ({ event_count }) => event_count,
            cell: ({ event_count }) => formatCount(event_count),
          },
          {
            id: 'share',
            head: 'Share',
            align: 'end',
            width: 90,
            value: ({ event_count }) => event_count,
            cell: ({ event_count }) => formatShare(event_count / Math.max(1, total)),
          },
          {
            id: 'newest',
            head: <span className="visually-hidden">Newest</span>,
            align: 'end',
            width: 90,
            cell: ({ event_name }) => (
              <Anchor
                component={Link}
                to={path(`events?${new URLSearchParams({ event_name })}`)}
                size="sm"
                aria-label={`Newest ${event_name}`}
              >
                Newest
              </Anchor>
            ),
          },
        ]}
        empty={
          <EmptyState title="No events in this range">
            Choose a longer range, or send events to this environment.
          </EmptyState>
        }
      />
      {counts !== undefined && counts.other_name_count > 0 && (
        <Text size="xs" c="dimmed" p="sm">
          And {formatCount(counts.other_name_count)} less frequent names.
        </Text>
      )}
    </>
  );
}
