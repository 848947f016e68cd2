import type { PinnedReport } from '@overworld/contract/dashboards/charts';
import { todayIn } from '../../reports/days/report-days.ts';
import { GroupName } from '../../reports/group-name.tsx';
import { averageOf } from '../../reports/metric.tsx';
import type { Metric } from '../../reports/metric.tsx';
import type { PlayerGroup } from '../../reports/players/player-selection.ts';
import { finishedDays } from '../../reports/summary.ts';
import { RankedBars } from '../../ui/charts/ranked-bars.tsx';
import { formatCount, formatShare } from '../../ui/format.ts';
import { Note } from '../../ui/text.tsx';
import { METRICS as PLAYERS_METRICS, NEW_PLAYERS } from '../analytics/active-players-metrics.tsx';
import { metricsIn } from '../analytics/revenue/revenue-metrics.ts';
import { METRICS as SESSION_METRICS } from '../analytics/sessions-metrics.ts';
import type { ReportData } from './card-chart.tsx';

interface Groups {
  /** Names the numbers. */
  words: string;
  bars: (PlayerGroup & { number: number | null; text: string })[];
}

/** Makes the number of each group. */
const groupsOf = <G extends PlayerGroup>(
  words: string,
  groups: readonly G[],
  of: (group: G) => number | null,
  write: (number: number, group: G) => string,
): Groups => ({
  words,
  bars: groups.map((group) => {
    const number = of(group);
    const { kind, value } = group;
    return { kind, value, number, text: number === null ? '–' : write(number, group) };
  }),
});

function daily<Day extends { day: string }>(
  metrics: readonly Metric<Day>[],
  chart: string,
  report: { groups: readonly (PlayerGroup & { days: Day[] })[]; to: string; time_zone: string },
): Groups | null {
  const { groups, to, time_zone } = report;
  const metric = metrics.find(({ value }) => value === chart);
  if (metric === undefined) return null;
  const isUnfinished = to >= todayIn(time_zone);
  const average = ({ days }: { days: Day[] }) => {
    const finished = finishedDays(days, isUnfinished);
    return averageOf(metric, finished.length === 0 ? days : finished);
  };
  return groupsOf(`${metric.name}, on average a day`, groups, average, metric.write);
}

/** Makes the numbers of the groups for each report that can be split. */
const GROUPS: { [R in PinnedReport]?: (data: ReportData[R], chart: string) => Groups | null } = {
  'active-players': (data, chart) => daily([...PLAYERS_METRICS, NEW_PLAYERS], chart, data),
  sessions: (data, chart) =>
    chart === 'lengths'
      ? groupsOf('Sessions', data.groups, ({ session_count }) => session_count, formatCount)
      : daily(SESSION_METRICS, chart, data),
  retention: ({ groups }) =>
    groupsOf('Came back the next day', groups, ({ average }) => average[1] ?? null, formatShare),
  events: ({ groups }) => groupsOf('Events', groups, ({ event_count }) => event_count, formatCount),
  funnel: ({ groups }) =>
    groupsOf(
      'Took all steps',
      groups,
      ({ steps }) => steps.at(-1)!.share_of_first,
      (share, { steps }) => `${formatShare(share)} of ${formatCount(steps[0]!.players)}`,
    ),
  revenue: ({ groups, currency, conversion }, chart) => {
    if (chart === 'conversion') {
      const day = conversion.findLast(({ players }) => players > 0)?.day;
      const shareOf = ({ conversion: own }: (typeof groups)[number]) =>
        own.find((each) => each.day === day)?.share ?? null;
      return groupsOf(`Had paid by day ${day}`, groups, shareOf, formatShare);
    }
    if (currency === null) return null;
    const metric = metricsIn(currency).find(({ value }) => value === chart);
    if (metric === undefined) return null;
    return groupsOf(metric.name, groups, ({ period }) => metric.of(period), metric.write);
  },
  path: ({ groups, unit }) =>
    groupsOf(
      unit === 'sessions' ? 'Sessions' : 'Players',
      groups,
      ({ count }) => count,
      formatCount,
    ),
};

/** The number of each group of players in a card whose report is split. */
export function CardGroups<R extends PinnedReport>(props: {
  report: R;
  chart: string;
  data: ReportData[R];
}) {
  const { report, chart, data } = props;
  const made = GROUPS[report]?.(data, chart);
  if (!made || made.bars.length === 0) return null;
  return (
    <>
      <Note mt={12}>{made.words}</Note>
      <RankedBars
        label={`${made.words}, by group`}
        bars={made.bars.map(({ kind, value, number, text }) => ({
          key: `${kind} ${value}`,
          name: <GroupName group={{ kind, value }} />,
          value: number,
          text,
          isAside: kind !== 'value',
        }))}
      />
    </>
  );
}
