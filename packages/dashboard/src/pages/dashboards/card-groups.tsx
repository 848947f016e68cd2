import type { PinnedReport } from '@overworld/contract/dashboards/charts';
import { todayIn } from '../../reports/days/report-days.ts';
import { GroupName } from '../../reports/group-name.tsx';
import { averageOf } from '../../reports/metric.tsx';
import type { Metric } from '../../reports/metric.tsx';
import type { PlayerGroup } from '../../reports/players/player-selection.ts';
import { finishedDays, mean } from '../../reports/summary.ts';
import { RankedBars } from '../../ui/charts/ranked-bars.tsx';
import { formatCount, isFew, writeShare } from '../../ui/format.ts';
import { Note } from '../../ui/text.tsx';
import { METRICS as PLAYERS_METRICS, NEW_PLAYERS } from '../analytics/active-players-metrics.tsx';
import { cameBack } from '../analytics/retention/cohorts.ts';
import { metricsIn } from '../analytics/revenue/revenue-metrics.ts';
import { METRICS as SESSION_METRICS } from '../analytics/sessions-metrics.ts';
import type { ReportData } from './report-data.ts';

interface Groups {
  /** Names the numbers. */
  words: string;
  /** The number at which a bar is full; by default the largest one. */
  full?: number;
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

/** Makes the share of each group. A group that is too small stands aside, with its count. */
const sharesOf = <G extends PlayerGroup>(
  words: string,
  groups: readonly G[],
  partsOf: (group: G) => readonly [part: number, whole: number],
): Groups => ({
  words,
  full: 1,
  bars: groups.map((group) => {
    const { kind, value } = group;
    const [part, whole] = partsOf(group);
    return {
      kind,
      value,
      number: isFew(whole) ? null : part / whole,
      text: isFew(whole)
        ? writeShare(part, whole)
        : `${writeShare(part, whole)} of ${formatCount(whole)}`,
    };
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
  const made = groupsOf(`${metric.name}, on average a day`, groups, average, metric.write);
  if (!metric.isShare || metric.base === undefined) return made;
  const { base } = metric;
  const bars = made.bars.map((bar, index) =>
    isFew(mean(groups[index]!.days.map(base)))
      ? { ...bar, number: null, text: 'too few players' }
      : bar,
  );
  return { ...made, full: 1, bars };
}

/** Makes the numbers of the groups for each report that can be split. */
const GROUPS: { [R in PinnedReport]?: (data: ReportData[R], chart: string) => Groups | null } = {
  'active-players': (data, chart) => daily([...PLAYERS_METRICS, NEW_PLAYERS], chart, data),
  sessions: (data, chart) =>
    chart === 'lengths'
      ? groupsOf('Sessions', data.groups, ({ session_count }) => session_count, formatCount)
      : daily(SESSION_METRICS, chart, data),
  retention: ({ groups }) =>
    sharesOf('Came back the next day', groups, ({ cohorts }) => cameBack(cohorts, 1)),
  events: ({ groups }) => groupsOf('Events', groups, ({ event_count }) => event_count, formatCount),
  funnel: ({ groups }) =>
    sharesOf('Took all steps', groups, ({ steps }) => [steps.at(-1)!.players, steps[0]!.players]),
  revenue: ({ groups, currency, conversion }, chart) => {
    if (chart === 'conversion') {
      const day = conversion.findLast(({ players }) => players > 0)?.day;
      return sharesOf(`Had paid by day ${day}`, groups, ({ conversion: own }) => {
        const found = own.find((each) => each.day === day);
        return [found?.payers ?? 0, found?.players ?? 0];
      });
    }
    if (currency === null) return null;
    const metric = metricsIn(currency).find(({ value }) => value === chart);
    if (metric === undefined) return null;
    if (metric.isShare) {
      return sharesOf(metric.name, groups, ({ period: { paying_share, active_players } }) => [
        Math.round((paying_share ?? 0) * active_players),
        active_players,
      ]);
    }
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
        full={made.full}
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
