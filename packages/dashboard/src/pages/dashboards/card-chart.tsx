import { Dimmed, Note } from '../../ui/text.tsx';
import { formatShortMinute } from '../../ui/time/format-time.ts';
import type { PinnedReport } from '@overworld/contract/dashboards/charts';
import { todayIn } from '../../reports/days/report-days.ts';
import { GroupName } from '../../reports/group-name.tsx';
import { MetricChart, writeAverage, writeMetric } from '../../reports/metric.tsx';
import type { Metric } from '../../reports/metric.tsx';
import { finishedDays } from '../../reports/summary.ts';
import { Bars } from '../../ui/charts/bars.tsx';
import { LineChart, SHARES } from '../../ui/charts/line-chart.tsx';
import { RankedBars } from '../../ui/charts/ranked-bars.tsx';
import {
  countOf,
  formatCalendarDay,
  formatCount,
  formatShare,
  isFew,
  writeShare,
} from '../../ui/format.ts';
import { METRICS as PLAYERS_METRICS, NEW_PLAYERS } from '../analytics/active-players-metrics.tsx';
import { MEASURES, rankGroups, writeMeasure } from '../analytics/breakdown/measures.ts';
import { cameBack, lastToldDay } from '../analytics/retention/cohorts.ts';
import { lengthWords, METRICS as SESSION_METRICS } from '../analytics/sessions-metrics.ts';
import { QUALITY_METRICS, totalsByDay } from '../events/quality-metrics.ts';
import { scopeWords } from '../../reports/pinning/scope-words.ts';
import { CardGroups } from './card-groups.tsx';
import { drawResults } from './draw-results.tsx';
import { drawPaths, drawRevenue } from './draw-questions.tsx';
import type { Drawn } from './drawn.ts';
import { NewestCohorts } from './newest-cohorts.tsx';
import type { ReportData } from './report-data.ts';
import classes from './dashboard.module.css';
import { showName } from '../../ui/shown-name.ts';

type Data<R extends PinnedReport> = ReportData[R];

interface Shown {
  chart: string;
  query: URLSearchParams;
}

/**
 * The maximum number of bars in a card. With more bars, the card would be longer than the charts beside it.
 */
const BARS_SHOWN = 8;

const DRAW: { [R in PinnedReport]: (data: Data<R>, shown: Shown) => Drawn | null } = {
  'active-players': ({ days, time_zone }, { chart }) =>
    drawMetric([...PLAYERS_METRICS, NEW_PLAYERS], chart, days, time_zone),

  sessions: (report, { chart }) => {
    if (chart !== 'lengths') {
      return drawMetric(SESSION_METRICS, chart, report.days, report.time_zone);
    }
    if (report.session_count === 0) return null;
    return {
      words: <b>{countOf(report.session_count, 'session')}</b>,
      chart: (
        <Bars
          label="Sessions by length"
          accent="all"
          bars={report.length_classes.map((each) => ({
            name: lengthWords(each),
            value: each.session_count,
          }))}
        />
      ),
    };
  },

  'data-quality': (report, { chart }) =>
    drawMetric(QUALITY_METRICS, chart, totalsByDay(report), report.time_zone),

  retention: (retention, { chart }) => {
    const players = retention.cohorts.reduce((sum, { player_count }) => sum + player_count, 0);
    const next_day = retention.average[1] ?? null;
    if (players === 0 || next_day === null) return null;
    const shares = retention.average
      .slice(1, lastToldDay(retention) + 1)
      .map((share) => share ?? 0);
    const [came, told] = cameBack(retention.cohorts, 1);
    return {
      words: (
        <>
          <b>{writeShare(came, told)}</b> came back the next day
        </>
      ),
      chart:
        chart === 'curve' && shares.length > 0 ? (
          <LineChart
            label="Average retention by day after the first"
            periods={shares.map((_share, index) => `Day ${index + 1}`)}
            series={[{ name: 'Came back', values: shares }]}
            scale={SHARES}
          />
        ) : (
          <NewestCohorts retention={retention} />
        ),
    };
  },

  events: (counts, { query }) => {
    const event_name = query.get('event_name');
    const shown = counts.events.find((each) => each.event_name === event_name) ?? null;
    return {
      words: <b>{countOf((shown ?? counts).event_count, 'event')}</b>,
      chart: (
        <LineChart
          label={`${shown?.event_name ?? 'All events'} over time`}
          periods={counts.periods.map((period) =>
            counts.by === 'hour'
              ? formatShortMinute(period, counts.time_zone)
              : formatCalendarDay(period),
          )}
          times={counts.periods}
          series={[{ name: shown?.event_name ?? 'Events', values: (shown ?? counts).counts }]}
          isLastUnfinished={counts.to >= todayIn(counts.time_zone)}
        />
      ),
    };
  },

  funnel: ({ steps }) => {
    if (steps[0]!.players === 0) return null;
    return {
      words: (
        <>
          <b>{writeShare(steps.at(-1)!.players, steps[0]!.players)}</b>
          {!isFew(steps[0]!.players) && ` of ${countOf(steps[0]!.players, 'player')}`} took all{' '}
          {steps.length} steps
        </>
      ),
      chart: (
        <RankedBars
          label="Steps of the funnel"
          bars={steps.map((step, index) => ({
            key: String(index),
            name: <code className="name">{showName(step.event_name)}</code>,
            value: step.players,
            text: isFew(steps[0]!.players)
              ? formatCount(step.players)
              : `${formatShare(step.share_of_first ?? 0)}, ${formatCount(step.players)}`,
          }))}
        />
      ),
    };
  },

  breakdown: ({ total, groups }, { chart }) => {
    const measure = MEASURES.find(({ value }) => value === chart) ?? MEASURES[0];
    if (total.events === 0) return null;
    const hidden = groups.length - BARS_SHOWN;
    return {
      words: (
        <>
          <b>{writeMeasure(measure, total)}</b> {measure.name.toLowerCase()} in all
        </>
      ),
      chart: (
        <>
          <RankedBars
            label={`${measure.name} by group`}
            bars={rankGroups(groups, measure)
              .slice(0, BARS_SHOWN)
              .map((group) => ({
                key: `${group.kind} ${group.value}`,
                name: <GroupName group={group} />,
                value: group[measure.value],
                text: writeMeasure(measure, group),
                isAside: group.kind !== 'value',
              }))}
          />
          {hidden > 0 && <Note mt={8}>And {formatCount(hidden)} more</Note>}
        </>
      ),
    };
  },

  revenue: (data, { chart }) => drawRevenue(data, chart, todayIn(data.time_zone)),
  path: (data) => drawPaths(data),
  results: (data) => drawResults(data),
};

function drawMetric<Day extends { day: string }>(
  metrics: readonly Metric<Day>[],
  chart: string,
  days: readonly Day[],
  time_zone: string,
): Drawn | null {
  const metric = metrics.find(({ value }) => value === chart);
  const last = days.at(-1);
  if (metric === undefined || last === undefined) return null;
  const isUnfinished = last.day >= todayIn(time_zone);
  const finished = finishedDays(days, isUnfinished);
  return {
    words: (
      <>
        <b>{writeMetric(metric, last)}</b>{' '}
        {isUnfinished ? 'today so far' : `on ${formatCalendarDay(last.day)}`}
        {finished.length > 1 && `, ${writeAverage(metric, finished)} on average`}
      </>
    ),
    chart: <MetricChart metric={metric} days={days} isUnfinished={isUnfinished} />,
  };
}

/** The parts of the scope of a card: filters, split and currency. The frame of the card shows the days. */
function Scope({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <Note mb={4} className="name">
      {words.join(' · ')}
    </Note>
  );
}

/** Names the currency of the amounts in a card that was pinned without one. */
function currencyWords(query: URLSearchParams, data: unknown): string[] {
  if (query.has('currency')) return [];
  const { currency = null, is_converted = false } = data as Partial<Data<'revenue'>>;
  if (currency === null) return [];
  return [is_converted ? `all currencies, converted into ${currency}` : `only ${currency}`];
}

/** Draws the chart of a card from the answer of its report. */
export function CardChart<R extends PinnedReport>(props: {
  card: { report: R; chart: string; query: string };
  data: ReportData[R];
}) {
  const { card, data } = props;
  const query = new URLSearchParams(card.query);
  const drawn = DRAW[card.report](data, { chart: card.chart, query });
  const scope = <Scope words={[...scopeWords(query), ...currencyWords(query, data)]} />;
  if (drawn === null) {
    return (
      <>
        {scope}
        <Dimmed py={48} ta="center">
          Nothing in these days
        </Dimmed>
      </>
    );
  }
  return (
    <>
      {scope}
      {drawn.words && <p className={classes.words}>{drawn.words}</p>}
      {drawn.chart}
      <CardGroups report={card.report} chart={card.chart} data={data} />
    </>
  );
}
