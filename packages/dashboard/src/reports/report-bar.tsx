import { Group, Stack, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { FirstDayNote } from './days/first-day.tsx';
import { RangePicker } from './days/range-picker.tsx';
import type { ReportRange } from './days/use-report-range.ts';
import { DrillDownDrawer } from './drill-down/drill-down-drawer.tsx';
import { PlayerBar } from './players/player-bar.tsx';
import { useComparison } from './use-report.tsx';

/** The days and the players of the reports of a page, and its own filters. */
export function ReportBar(props: {
  range: ReportRange;
  filters?: ReactNode;
  /** The menu of the annotations. */
  annotations?: ReactNode;
  /** True if the question of the page makes groups itself. */
  hasGroups?: boolean;
  /** True if the reports of the page compare periods in their own answers, or cannot be compared. */
  isUncompared?: boolean;
}) {
  const { range, filters, annotations, hasGroups, isUncompared } = props;
  const [comparison, compare] = useComparison();
  return (
    <Stack gap="xs">
      <Group gap="sm" align="flex-start">
        <RangePicker range={range} />
        {filters}
        <FirstDayNote range={range} />
      </Group>
      <Group gap="xs" align="center">
        <PlayerBar hasGroups={hasGroups} />
        {annotations}
        {!isUncompared && (
          <Switch
            mx={4}
            label="Compare with the period before"
            checked={comparison === 'before'}
            onChange={(event) => compare(event.currentTarget.checked ? 'before' : 'nothing')}
          />
        )}
      </Group>
      <DrillDownDrawer />
    </Stack>
  );
}
