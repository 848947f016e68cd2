import { SimpleGrid, Skeleton } from '@mantine/core';
import { useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Figures } from '../../ui/charts/figures.tsx';
import { formatCalendarDay, formatCount } from '../../ui/format.ts';
import { LineChart } from '../../ui/charts/line-chart.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import classes from './today.module.css';

type Overview = Answer<'GET /v1/games/{game_id}/analytics/overview'>;

const METRICS = [
  { value: 'players', name: 'Players', member: 'active_players' },
  { value: 'new', name: 'New players', member: 'new_players' },
  { value: 'sessions', name: 'Sessions', member: 'session_count' },
  { value: 'events', name: 'Events', member: 'event_count' },
] as const;

const UPDATE_EVERY_MS = 10_000;
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

/** Compares today with yesterday and last week, and charts the last 30 days of one figure. */
export function Today() {
  const { game_id, environment } = useGame();
  const overview = useRead(
    'GET /v1/games/{game_id}/analytics/overview',
    { params: { game_id }, query: { environment } },
    { every: UPDATE_EVERY_MS },
  );
  return (
    <Card flush>
      <Loaded query={overview} skeleton={<TodaySkeleton />}>
        {(data) => <TodayFigures overview={data} />}
      </Loaded>
    </Card>
  );
}

function TodayFigures({ overview }: { overview: Overview }) {
  const { search, set } = useSearchState();
  const { today, yesterday, last_week, days, time_zone } = overview;
  const shown = METRICS.find(({ value }) => value === search.get('figure')) ?? METRICS[0];
  const lastWeek = `Last ${weekday.format(new Date(`${last_week.day}T00:00Z`))}`;
  return (
    <>
      <Figures
        shown={shown.value}
        onShow={(value) => set({ figure: value === METRICS[0].value ? null : value })}
        figures={METRICS.map(({ value, name, member }) => ({
          value,
          name: `${name} today`,
          number: formatCount(today[member]),
          compared: [
            ['Yesterday', formatCount(yesterday[member])],
            [lastWeek, formatCount(last_week[member])],
          ],
        }))}
      />
      <div className={classes.chart}>
        <LineChart
          label={`${shown.name} of each of the last ${days.length} days`}
          periods={days.map(({ day }) => formatCalendarDay(day))}
          series={[{ name: shown.name, values: days.map((day) => day[shown.member]) }]}
          isLastUnfinished
        />
        <p className={classes.zone}>Days in {time_zone}. Today so far.</p>
      </div>
    </>
  );
}

function TodaySkeleton() {
  return (
    <div style={{ padding: 16 }} role="group" aria-busy aria-label="Loading">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        {METRICS.map(({ value }) => (
          <Skeleton key={value} height={94} />
        ))}
      </SimpleGrid>
      <Skeleton height={272} mt="md" />
    </div>
  );
}
