import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { VERSION_PROPERTY } from '@overworld/contract/analytics/release-limits';
import { formatPercent, formatSignedShare } from '@overworld/contract/percents';
import { SESSION_START } from '@overworld/contract/players/first-session';
import { CONFIDENCE_PERCENT } from '@overworld/contract/remote-config/experiment-limits';
import { usePages, useRead } from '../../api/hooks.ts';
import { addDays } from '../../reports/days/report-days.ts';
import { IntervalChart } from '../../reports/interval-chart.tsx';
import { ReadingEvents } from '../../reports/questions/slow-report.tsx';
import { useGame } from '../../shell/game.ts';
import { formatCount, spanWords } from '../../ui/format.ts';
import { ItemPage } from '../../ui/item-page.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Card, EmptyCard, Loaded } from '../../ui/page.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { showName } from '../../ui/shown-name.ts';
import { column } from '../../ui/tables/columns.tsx';
import { listOf, TableCard } from '../../ui/tables/table-card.tsx';
import { Dimmed } from '../../ui/text.tsx';
import {
  intervalOf,
  nameOfMetric,
  newsOf,
  sentenceOf,
  VERDICT_WORDS,
  writeMean,
} from './comparison-words.ts';
import type { Comparison, Metric } from './comparison-words.ts';

type Release = Comparison['releases'][number];

/** Compares two versions of the game side by side. The URL names them; without names, the newest two. */
export function Component() {
  const { inEnvironment } = useGame();
  const { search, set } = useSearchState();
  const list = usePages(
    'GET /v1/games/{game_id}/releases',
    inEnvironment({}, { with_all: true, limit: 200 }),
  );
  const releases = listOf(list, 'releases') ?? [];
  const shown = releases.filter(({ is_rare, name, is_hidden }) => !is_hidden && (!is_rare || name));
  const release = search.get('release') ?? shown[0]?.version;
  const older = shown.slice(shown.findIndex(({ version }) => version === release) + 1);
  const baseline = search.get('baseline') ?? older[0]?.version;
  const isAsked = release !== undefined && baseline !== undefined && release !== baseline;
  const options = releases.map(({ version, name }) => ({
    value: version,
    label: name === null ? version : `${version}: ${name}`,
  }));
  const chosen = (name: string, label: string, value: string | undefined) => (
    <NativeSelect
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
      data={value === undefined ? [{ value: '', label: 'None' }, ...options] : options}
    />
  );
  return (
    <ItemPage
      title="Compare releases"
      lead="What the players of two versions did in their first days with each."
      actions={null}
      item={list}
      list={{ name: 'Releases', path: 'releases' }}
      missingTitle="No releases"
      missingWords="The game has no such releases."
    >
      <Stack gap="md">
        <Group gap="sm">
          {chosen('baseline', 'Earlier release', baseline)}
          {chosen('release', 'Release', release)}
        </Group>
        {isAsked ? (
          <Answer baseline={baseline} release={release} />
        ) : (
          !list.isPending && (
            <EmptyCard title="Choose two releases">
              A comparison needs two versions that players have started.
            </EmptyCard>
          )
        )}
      </Stack>
    </ItemPage>
  );
}

function Answer(versions: { baseline: string; release: string }) {
  const { inEnvironment } = useGame();
  const comparison = useRead(
    'GET /v1/games/{game_id}/releases/comparison',
    inEnvironment({}, versions),
    { slow: true },
  );
  return (
    <Loaded
      query={comparison}
      skeleton={
        <Card>
          <ReadingEvents />
        </Card>
      }
    >
      {(data) => (
        <Stack gap="md">
          <Summary comparison={data} />
          <Metrics comparison={data} />
          <OfDays comparison={data} />
        </Stack>
      )}
    </Loaded>
  );
}

function Summary({ comparison }: { comparison: Comparison }) {
  const { metrics, days } = comparison;
  const rows = metrics.flatMap((metric) => {
    const shown = metric.relative_interval;
    if (shown === null || metric.difference === null) return [];
    const middle = metric.difference / metric.releases[0]!.mean!;
    const interval = { ...shown, middle, write: formatSignedShare };
    return [{ name: nameOfMetric(metric), verdict: newsOf(metric), shown: interval }];
  });
  return (
    <Card title="What is more than noise">
      <Stack gap="md">
        <Text className="name" role="status">
          {showName(sentenceOf(comparison))}
        </Text>
        {rows.length > 0 && <IntervalChart label="Differences" rows={rows} />}
        <Dimmed>
          Each player counts for {days === 1 ? 'a day' : `${days} days`} from the first start of a
          version, until the start of another one. The intervals hold together with{' '}
          {formatPercent(CONFIDENCE_PERCENT)} confidence. Players choose when they update, and the
          days differ too: the version need not be the cause.
        </Dimmed>
      </Stack>
    </Card>
  );
}

function Metrics({ comparison }: { comparison: Comparison }) {
  const { releases, metrics, days } = comparison;
  const columns = releases.map((release, index) =>
    column<Metric>(`release-${index}`, showName(release.version), { align: 'end' }, (metric) => (
      <>
        {writeMean(metric, index)}
        <br />
        <PlayersLink
          release={release}
          metric={metric}
          count={metric.releases[index]!.players}
          days={days}
        />
      </>
    )),
  );
  return (
    <TableCard
      label="Metrics"
      title="Side by side"
      rows={[...metrics]}
      rowKey={({ kind, event_name }) => `${kind} ${event_name}`}
      columns={[
        column<Metric>('metric', 'Metric', (metric) => (
          <span className="name">{showName(nameOfMetric(metric))}</span>
        )),
        ...columns,
        column<Metric>('difference', 'Difference', { align: 'end' }, (metric) => {
          const shown = intervalOf(metric);
          return shown === null ? '–' : `${shown.write(shown.low)} to ${shown.write(shown.high)}`;
        }),
        column<Metric>('verdict', 'Verdict', { width: 130 }, ({ verdict }) =>
          verdict === 'higher' || verdict === 'lower' ? (
            <b>{VERDICT_WORDS[verdict]}</b>
          ) : (
            <Dimmed>{VERDICT_WORDS[verdict]}</Dimmed>
          ),
        ),
      ]}
    />
  );
}

/**
 * A link to the players behind a number: those who started the version on its days. For retention it leads to the
 * report with the new players of the version, for events to those who also had one.
 */
function PlayersLink(props: { release: Release; metric: Metric; count: number; days: number }) {
  const { release, metric, count, days } = props;
  const { path } = useGame();
  const { version, from, to } = release;
  const { kind, event_name } = metric;
  const link = (page: string, query: Record<string, string>, words: string) => (
    <TextLink to={`${path(page)}?${new URLSearchParams(query)}`}>{words}</TextLink>
  );
  if (kind === 'retention_day_1' || kind === 'retention_day_7') {
    const players = JSON.stringify({ values: [{ property: 'first_version', value: version }] });
    return link('retention', { from, to, players }, `${formatCount(count)} new players`);
  }
  const started = {
    event_name: SESSION_START,
    filter: [{ property: VERSION_PROPERTY, operator: 'eq', value: version }],
  };
  if (kind === 'events') {
    const events = JSON.stringify([started, { event_name }]);
    const query = { from, to: addDays(to, days), events };
    return link('segments', query, `${formatCount(count)} players, who had it?`);
  }
  const words =
    kind === 'adoption'
      ? `${formatCount(release.players)} of ${formatCount(count)}`
      : `${formatCount(count)} players`;
  return link('segments', { from, to, events: JSON.stringify([started]) }, words);
}

/** Numbers that the server counts by day alone, for all versions. */
function OfDays({ comparison: { of_days, releases } }: { comparison: Comparison }) {
  const rows = [
    { name: 'Events received', numbers: of_days.received_events },
    { name: 'Events refused', numbers: of_days.refused_events },
    { name: 'Saves', numbers: of_days.saves },
    { name: 'Save conflicts', numbers: of_days.save_conflicts },
  ];
  return (
    <TableCard
      label="All versions on these days"
      title="All versions on these days"
      rows={rows}
      rowKey={({ name }) => name}
      columns={[
        column<(typeof rows)[number]>('name', 'Of all versions', ({ name }) => name),
        ...releases.map(({ version, from, to }, index) =>
          column<(typeof rows)[number]>(
            `days-${index}`,
            `${showName(version)}, ${spanWords(from, to)}`,
            { align: 'end' },
            ({ numbers }) => formatCount(numbers[index]!),
          ),
        ),
      ]}
    />
  );
}
