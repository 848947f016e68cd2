import { Group, Stack, Switch, Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { FirstDayNote } from './days/first-day.tsx';
import { RangePicker } from './days/range-picker.tsx';
import type { ReportRange } from './days/use-report-range.ts';
import { PlayerBar } from './players/player-bar.tsx';
import { useComparison } from './use-report.tsx';
import { lazy, Suspense } from 'react';
import { Lines } from '../ui/page.tsx';
import { describeCell, useDrillDown } from './drill-down/cells.ts';

/** The bar that chooses the days and players of the reports of a page, with the page's own filters. */
export function ReportBar(props: {
  report: { range: ReportRange; takesPlayers: boolean; isUncompared: boolean };
  filters?: ReactNode;
  /** The menu of the annotations. */
  annotations?: ReactNode;
  /** True if the reader has already chosen groups in the page's own form. Then the bar offers no split. */
  hasGroups?: boolean;
}) {
  const { report, filters, annotations, hasGroups } = props;
  const { range, takesPlayers, isUncompared } = report;
  const [comparison, compare] = useComparison();
  return (
    <Stack gap="xs">
      <Group gap="sm" align="flex-start">
        <RangePicker range={range} />
        {filters}
        <FirstDayNote range={range} />
      </Group>
      <Group gap="xs" align="center">
        {takesPlayers && <PlayerBar hasGroups={hasGroups} />}
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

const DrillDownList = lazy(async () => ({
  default: (await import('./drill-down/drill-down-list.tsx')).DrillDownList,
}));

/** True if a dialog is open above the drawer. The key Escape closes that dialog alone. */
const isCovered = () => document.querySelectorAll('[role="dialog"][aria-modal="true"]').length > 1;

/** The drawer with the players behind the number that the URL names. */
function DrillDownDrawer() {
  const { shown, close } = useDrillDown();
  return (
    <Drawer
      opened={shown !== null}
      onClose={() => isCovered() || close()}
      position="right"
      size={640}
      title={shown === null ? '' : describeCell(shown.cell)}
      closeButtonProps={{ 'aria-label': 'Close the list of players' }}
    >
      {shown !== null && (
        <Suspense fallback={<Lines />}>
          <DrillDownList key={JSON.stringify(shown)} {...shown} />
        </Suspense>
      )}
    </Drawer>
  );
}
