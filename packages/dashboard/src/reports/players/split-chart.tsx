import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { GroupChart } from '../../ui/charts/group-chart.tsx';
import { GROUP_FORMS } from '../../ui/charts/group-lines.ts';
import type { GroupForm, GroupLine } from '../../ui/charts/group-lines.ts';
import { COUNTS } from '../../ui/charts/line-chart.tsx';
import type { Scale } from '../../ui/charts/line-chart.tsx';
import { formatCalendarDay } from '../../ui/format.ts';
import { useSearchChoice } from '../../ui/search-state.ts';
import { Note } from '../../ui/text.tsx';
import type { Metric } from '../metric.tsx';
import type { PlayerGroup } from './player-selection.ts';
import { linesOf, metricLine, sayLines } from './split-lines.ts';
import classes from './split-chart.module.css';

const FORM_WORDS = { lines: 'Lines', stacked: 'Stacked', shares: 'Shares' };

interface SplitLinesProps {
  label: string;
  periods: readonly string[];
  times?: readonly string[];
  groups: readonly PlayerGroup[];
  lines: readonly GroupLine[];
  scale?: Scale;
  isLastUnfinished?: boolean;
  /** True if the numbers of the groups add up to those of all, so that they can be stacked. */
  isSum?: boolean;
}

/** The lines of the groups of a card, which chooses their form for as long as it is shown. */
export function CardSplitLines(props: SplitLinesProps) {
  const [form, setForm] = useState<GroupForm>('lines');
  return <SplitLines {...props} form={form} onForm={(value) => setForm(value as GroupForm)} />;
}

/** The lines of the groups of a page, which keeps their form in the URL. */
export function PageSplitLines(props: SplitLinesProps) {
  const [form, setForm] = useSearchChoice('groups', GROUP_FORMS);
  return (
    <div className={classes.onPage}>
      <SplitLines {...props} form={form} onForm={setForm} />
    </div>
  );
}

function SplitLines(props: SplitLinesProps & { form: GroupForm; onForm: (form: string) => void }) {
  const { groups, scale = COUNTS, isSum = false, form, onForm, ...chart } = props;
  const lines = props.lines.filter(({ values }) => values.some((value) => value !== null));
  if (lines.length === 0 || chart.periods.length < 2) return null;
  // Refunds make negative numbers, which cannot be stacked.
  const canStack = isSum && lines.every(({ values }) => values.every((each) => (each ?? 0) >= 0));
  const words = sayLines(groups, lines);
  return (
    <>
      {canStack && (
        <SegmentedControl
          size="xs"
          mb="xs"
          aria-label="How groups are shown"
          data={GROUP_FORMS.map((value) => ({ value, label: FORM_WORDS[value] }))}
          value={form}
          onChange={onForm}
        />
      )}
      <GroupChart {...chart} lines={lines} scale={scale} form={canStack ? form : 'lines'} />
      {words !== '' && <Note mt={8}>{words}</Note>}
    </>
  );
}

type DayGroup<Day> = PlayerGroup & { days: readonly Day[] };

/** The properties of the lines of a metric over the days of a split report. */
export function metricLines<Day extends { day: string }>(
  metric: Metric<Day>,
  groups: readonly DayGroup<Day>[],
  isUnfinished: boolean,
  sizeOf: (days: readonly Day[]) => number,
): SplitLinesProps {
  const days = (groups[0]?.days ?? []).map(({ day }) => day);
  const { name, title = name, scale, isSum } = metric;
  return {
    label: `${title} by group, day by day`,
    periods: days.map((day) => formatCalendarDay(day)),
    times: days,
    groups,
    lines: linesOf(groups, metricLine<Day, DayGroup<Day>>(metric, sizeOf)),
    scale,
    isSum,
    isLastUnfinished: isUnfinished,
  };
}

/** The lines of the metric that the page shows, for each group. */
export function MetricSplitLines<Day extends { day: string }>(props: {
  metrics: readonly Metric<Day>[];
  groups: readonly DayGroup<Day>[];
  isUnfinished: boolean;
  sizeOf: (days: readonly Day[]) => number;
}) {
  const { metrics, groups, isUnfinished, sizeOf } = props;
  const [shown] = useSearchChoice(
    'figure',
    metrics.map(({ value }) => value),
  );
  const metric = metrics.find(({ value }) => value === shown)!;
  return (
    <>
      <Note className={classes.title}>{metric.title ?? metric.name}</Note>
      <PageSplitLines {...metricLines(metric, groups, isUnfinished, sizeOf)} />
    </>
  );
}
