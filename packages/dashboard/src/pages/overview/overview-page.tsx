import { Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRead } from '../../api/hooks.ts';
import { ENVIRONMENT_NAMES, useGame } from '../../shell/game.ts';
import { Dimmed } from '../../ui/text.tsx';
import { Card, Loaded, Page } from '../../ui/page.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ForkNote } from './fork-note.tsx';
import { LatestEvents, LatestPlayers } from './latest.tsx';
import type { Answer } from '../../api/operations.ts';
import { Annotations } from '../../reports/annotations/annotations.tsx';
import { Figures } from '../../ui/charts/figures.tsx';
import type { ComparedNumber } from '../../ui/charts/figures.tsx';
import {
  formatCalendarDay,
  formatChange,
  formatCount,
  formatShare,
  formatWeekday,
} from '../../ui/format.ts';
import { OutsideButton } from '../../reports/outside/outside-button.tsx';
import { useSoFar } from '../../reports/so-far.ts';
import { LineChart } from '../../ui/charts/line-chart.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { Meter, shareOf } from '../../ui/charts/meter.tsx';
import { ContourGlyph } from '../../ui/contours/contour-glyph.tsx';
import classes from './overview.module.css';
import { InZone } from '../../ui/time/moment.tsx';
import { Now, useNow } from './now.tsx';
import { QualityNews } from '../events/quality/quality-news.tsx';
import { findNews } from '../events/quality/quality-problems.ts';

/**
 * The intervals at which the page loads again: the newest events and players, today's numbers, and the data
 * quality.
 */
const LIVE_EVERY_MS = 3_000;
const TODAY_EVERY_MS = 10_000;
const QUALITY_EVERY_MS = 30_000;

const OVERVIEW = 'GET /v1/games/{game_id}/analytics/overview';

export function Component() {
  const { game, game_id, environment, inEnvironment } = useGame();
  const usage = useRead(
    'GET /v1/games/{game_id}/usage',
    { params: { game_id } },
    { every: 30_000 },
  );
  const newest = inEnvironment({}, { limit: 15 });
  const events = useRead('GET /v1/games/{game_id}/events', newest, { every: LIVE_EVERY_MS });
  const players = useRead('GET /v1/games/{game_id}/players', newest, { every: LIVE_EVERY_MS });

  // The page waits for everything that decides the order of its cards, so that no card moves later.
  const overview = useRead(OVERVIEW, inEnvironment(), { every: TODAY_EVERY_MS });
  const quality = useRead('GET /v1/games/{game_id}/analytics/data-quality', inEnvironment(), {
    every: QUALITY_EVERY_MS,
  });

  const now = useNow();

  return (
    <Page
      title={game.name}
      tabTitle="Overview"
      lead={`${ENVIRONMENT_NAMES[environment]} yesterday and today, and what just happened.`}
    >
      {overview.isPending || quality.isPending || events.isPending || now.isPending ? (
        <Card flush>
          <TodaySkeleton />
        </Card>
      ) : (
        <Stack gap="md">
          <ForkNote />
          {events.data?.events.length === 0 && <FirstStep />}
          <BrokenBuild quality={quality.data} />
          <Now lists={now.lists} />
          <div className={classes.parts}>
            <div className={classes.today}>
              <Card flush>
                <Loaded query={overview}>{(data) => <LastDayFigures overview={data} />}</Loaded>
              </Card>
              <Quota usage={usage} />
            </div>
            <LatestEvents query={events} />
            <LatestPlayers query={players} />
          </div>
        </Stack>
      )}
    </Page>
  );
}

type Overview = Answer<typeof OVERVIEW>;

const METRICS = [
  { value: 'players', name: 'Players', member: 'active_players' },
  { value: 'new', name: 'New players', member: 'new_players' },
  { value: 'sessions', name: 'Sessions', member: 'session_count' },
  { value: 'events', name: 'Events', member: 'event_count' },
] as const;

/** Compares the last day that is over with earlier days, and charts the last 30 days of one figure. */
function LastDayFigures({ overview }: { overview: Overview }) {
  const { search, set } = useSearchState();
  const { days, time_zone } = overview;
  const shown = METRICS.find(({ value }) => value === search.get('figure')) ?? METRICS[0];
  const soFar = useSoFar(true);
  const { inEnvironment } = useGame();
  return (
    <>
      <Figures
        shown={shown.value}
        onShow={(value) => set({ figure: value === METRICS[0].value ? null : value })}
        figures={METRICS.map((metric) => ({
          value: metric.value,
          ...headline(metric, overview, soFar(metric.member)),
        }))}
      />
      <div className={classes.chart}>
        <Annotations from={days[0]!.day} to={days.at(-1)!.day}>
          {() => (
            <LineChart
              label={`${shown.name} of each of the last ${days.length} days`}
              periods={days.map(({ day }) => formatCalendarDay(day))}
              times={days.map(({ day }) => day)}
              series={[{ name: shown.name, values: days.map((day) => day[shown.member]) }]}
              isLastUnfinished
            />
          )}
        </Annotations>
        <Group justify="space-between" gap="xs" mt={8} wrap="nowrap">
          <p className={classes.zone}>
            <InZone zone={time_zone} /> Today is not over.
          </p>
          <OutsideButton route={OVERVIEW} input={inEnvironment()} isTable role="reports" />
        </Group>
      </div>
    </>
  );
}

/**
 * Returns the number of yesterday and the number of today so far, for one figure. On the first day with
 * events, there is only the number of today.
 */
function headline(
  { name, member }: (typeof METRICS)[number],
  { today, yesterday, days }: Overview,
  soFar: readonly ComparedNumber[],
) {
  if (days.slice(0, -1).every(({ event_count }) => event_count === 0)) {
    return { name: `${name} today so far`, number: formatCount(today[member]), compared: [] };
  }
  const comparedWith = (than: string, day: Overview['today']): ComparedNumber => [
    than,
    formatCount(day[member]),
    formatChange(yesterday[member], day[member]),
  ];
  return {
    name: `${name} yesterday`,
    number: formatCount(yesterday[member]),
    compared: [
      comparedWith('Day before', days.at(-3)!),
      comparedWith(`${formatWeekday(yesterday.day)} before`, days.at(-9)!),
    ],
    soFar: [['Today so far', formatCount(today[member])] as const, ...soFar],
  };
}

function TodaySkeleton() {
  return (
    <div style={{ padding: 16 }} role="group" aria-busy aria-label="Loading">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
        {METRICS.map(({ value }) => (
          <Skeleton key={value} height={94} />
        ))}
      </SimpleGrid>
      <Skeleton height={272} mt="md" />
    </div>
  );
}

/** Compares the events of both environments this month with the quota. */
function Quota({ usage }: { usage: UseQueryResult<Answer<'GET /v1/games/{game_id}/usage'>> }) {
  const { path } = useGame();
  return (
    <Card>
      <Loaded query={usage} skeleton={<Skeleton height={34} />}>
        {({ used, limit }) => (
          <>
            <Group justify="space-between" mb={6} gap={4}>
              <Text size="sm">
                <b>{formatCount(used)}</b> of {formatCount(limit)} events this month,{' '}
                {formatShare(shareOf(used, limit))}
              </Text>
              <TextLink to={path('usage')}>Usage</TextLink>
            </Group>
            <Meter label="Quota used" value={used} limit={limit} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** Shows the way to the first event, in an environment that has received none. */
function FirstStep() {
  const { environment, path } = useGame();
  return (
    <Card>
      <Group gap="lg" wrap="wrap">
        <ContourGlyph seed={`first step ${environment}`} size={72} />
        <div style={{ flex: '1 1 240px' }}>
          <Title order={2}>Nothing here yet</Title>
          <Dimmed>
            {ENVIRONMENT_NAMES[environment]} has received no events. Connect your game: it takes a
            key and a few lines of code.
          </Dimmed>
        </div>
        <ButtonLink to={path('start')}>Connect your game</ButtonLink>
      </Group>
    </Card>
  );
}

type Quality = Answer<'GET /v1/games/{game_id}/analytics/data-quality'>;

/**
 * Warns if events have more problems today than before, as after a broken build; otherwise renders
 * nothing.
 */
function BrokenBuild({ quality }: { quality: Quality | undefined }) {
  const { path } = useGame();
  if (quality === undefined || findNews(quality.days, quality.to).length === 0) return null;
  return (
    <QualityNews
      quality={quality}
      isToday
      hrefOf={(key_id) =>
        `${path('events')}?${new URLSearchParams({ tab: 'quality', key_id, from: quality.to, to: quality.to })}`
      }
    >
      <TextLink to={path('events?tab=quality')}>Data quality</TextLink>
    </QualityNews>
  );
}
