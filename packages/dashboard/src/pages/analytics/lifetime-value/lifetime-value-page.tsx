import { SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { FEW_PAYERS, LTV_DAYS } from '@overworld/contract/analytics/limits';
import { useRead } from '../../../api/hooks.ts';
import { DatedReport } from '../../../reports/dated-report.tsx';
import { PageSplitLines } from '../../../reports/players/split-chart.tsx';
import { SplitCard } from '../../../reports/players/split-card.tsx';
import { ReportCard } from '../../../reports/report-card.tsx';
import { useReport } from '../../../reports/use-report.tsx';
import type { ReportState } from '../../../reports/use-report.tsx';
import { useGame } from '../../../shell/game.ts';
import { countOf, formatCount } from '../../../ui/format.ts';
import { TextLink } from '../../../ui/links.tsx';
import { Card, EmptyCard, Loaded, Page } from '../../../ui/page.tsx';
import { useSearchChoice, useSearchState } from '../../../ui/search-state.ts';
import { Stat } from '../../../ui/stat.tsx';
import { column, memberColumn } from '../../../ui/tables/columns.tsx';
import type { Column } from '../../../ui/tables/columns.tsx';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import { Dimmed } from '../../../ui/text.tsx';
import { InZone } from '../../../ui/time/moment.tsx';
import { formatMoney } from '../revenue/money.ts';
import { cohortColumns } from './cohort-values.tsx';
import { dayName, lastKnown, valueChart, writeValue } from './values.ts';
import type { LifetimeValue } from './values.ts';

export function Component() {
  const { game_id, path } = useGame();
  const read = useRead('GET /v1/games/{game_id}/revenue-settings', { params: { game_id } });
  return (
    <Page
      title="Lifetime value"
      lead="How much the new players of a day or a week have spent, by days since their first."
    >
      <Loaded query={read}>
        {({ settings }) =>
          settings === null ? (
            <EmptyCard title="Which event is a purchase?">
              <TextLink to={path('revenue')}>Choose it on the Revenue page.</TextLink>
            </EmptyCard>
          ) : (
            <Values event_name={settings.event_name} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Values({ event_name }: { event_name: string }) {
  const { search } = useSearchState();
  const [cohort, setCohort] = useSearchChoice('cohort', ['week', 'day']);
  const currency = search.get('currency') ?? undefined;
  const report = useReport('lifetime-value', { cohort, currency });
  return (
    <DatedReport
      report={report}
      filters={
        <SegmentedControl
          aria-label="Group new players by"
          data={[
            { value: 'week', label: 'By week' },
            { value: 'day', label: 'By day' },
          ]}
          value={cohort}
          onChange={setCohort}
        />
      }
    >
      {(data) =>
        data.currency === null || data.player_count === 0 ? (
          <EmptyCard title="No new player of these days has bought anything">
            Choose other days, such as the last 90.
          </EmptyCard>
        ) : (
          <Answer data={data} currency={data.currency} report={report} event_name={event_name} />
        )
      }
    </DatedReport>
  );
}

function Answer(props: {
  data: LifetimeValue;
  currency: string;
  report: ReportState;
  event_name: string;
}) {
  const { data, currency, report, event_name } = props;
  const { path } = useGame();
  const { player_count, payers, revenue, per_player, forecast, is_converted, time_zone } = data;
  const pinned = { currency: is_converted ? undefined : currency };
  const known = lastKnown(data);
  const shown = data.cohorts.filter((cohort) => cohort.player_count > 0);
  const cohorts = {
    label: 'Revenue by cohort',
    rows: shown,
    rowKey: ({ first_day }: { first_day: string }) => first_day,
    columns: cohortColumns(currency, true),
    minWidth: 1180,
  };
  const days = {
    label: 'Revenue per player by day',
    rows: [...per_player],
    rowKey: ({ day }: { day: number }) => String(day),
    columns: dayColumns(currency),
  };
  return (
    <Stack gap="md">
      <Card>
        <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="md">
          <Stat label="New players" value={formatCount(player_count)} />
          <Stat label="Payers of them" value={formatCount(payers)} />
          <Stat
            label={known ? `Per player by ${dayName(known.day).toLowerCase()}` : 'Per player'}
            value={writeValue(known?.value ?? null, currency)}
          />
          <Stat
            label={`Forecast for day ${LTV_DAYS.at(-1)}`}
            value={forecast === null ? '–' : writeValue(forecast.value, currency)}
          />
        </SimpleGrid>
        <Dimmed mt="sm">
          {forecast === null
            ? `No forecast: it needs at least ${FEW_PAYERS} payers whose day ${LTV_DAYS.at(-1)} is over. Choose a range that begins more than ${LTV_DAYS.at(-1)} days ago.`
            : `With 95% confidence the forecast lies between ${writeValue(forecast.low, currency)} and ${writeValue(forecast.high, currency)}, if players go on as those before them.`}
        </Dimmed>
      </Card>
      <ReportCard
        id="value"
        title="Revenue per player by day after the first"
        caption={
          <>
            {countOf(player_count, 'new player')} have brought{' '}
            <b>{formatMoney(revenue, currency)}</b>
            {is_converted && `, all currencies converted into ${currency}`}.{' '}
            <TextLink
              underline="always"
              to={path(
                `paths?${new URLSearchParams({ event_name, direction: 'previous', from: data.from, to: data.to })}`,
              )}
            >
              What players did before a purchase
            </TextLink>
            . <InZone zone={time_zone} />
          </>
        }
        isWaiting={report.isWaiting}
        actions={report.pin('value', 'Lifetime value', pinned)}
        chart={
          <>
            <PageSplitLines {...valueChart(data)} />
            <DataTable {...days} />
          </>
        }
        table={days}
      />
      <ReportCard
        id="cohorts"
        title="Revenue by cohort"
        caption="Revenue per player by the end of each day. A day is empty until it is over for all players of the row; grey rows are of few players."
        isWaiting={report.isWaiting}
        actions={report.pinAndFile('cohorts', 'Revenue by cohort', pinned)}
        chart={<DataTable {...cohorts} />}
        table={cohorts}
      />
      <SplitCard
        groups={data.groups}
        columns={groupColumns(currency)}
        cell={{ report: 'active-players', players: 'new', from: data.from, to: data.to }}
        isWaiting={report.isWaiting}
      />
    </Stack>
  );
}

type Day = LifetimeValue['per_player'][number];

const dayColumns = (currency: string): Column<Day>[] => [
  column<Day>('day', 'By the end of', ({ day }) => dayName(day)),
  memberColumn('players', 'Players'),
  memberColumn('revenue', 'Revenue', (amount) => formatMoney(amount, currency)),
  column<Day>('value', 'Per player', { align: 'end' }, ({ value }) => writeValue(value, currency)),
];

type ValueGroup = LifetimeValue['groups'][number];

const groupColumns = (currency: string): Column<ValueGroup>[] => [
  memberColumn('player_count', 'New players'),
  memberColumn('payers', 'Payers'),
  memberColumn('revenue', 'Revenue', (amount) => formatMoney(amount, currency)),
  ...[0, 7, 30, 90].map((day) =>
    column<ValueGroup>(
      `day ${day}`,
      dayName(day),
      { align: 'end', value: (group) => valueOn(group, day) },
      (group) => writeValue(valueOn(group, day), currency),
    ),
  ),
];

const valueOn = ({ per_player }: ValueGroup, wanted: number): number | null =>
  per_player.find(({ day }) => day === wanted)?.value ?? null;
