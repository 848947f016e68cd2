import { Drawer } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Lines } from '../../ui/page.tsx';
import { describeCell, useDrillDown } from './cells.ts';

const DrillDownList = lazy(async () => ({
  default: (await import('./drill-down-list.tsx')).DrillDownList,
}));

/** The drawer with the players behind the number that the address names. */
export function DrillDownDrawer() {
  const { shown, close } = useDrillDown();
  return (
    <Drawer
      opened={shown !== null}
      onClose={close}
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
