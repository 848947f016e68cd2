import { Drawer } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Lines } from '../../ui/page.tsx';
import { describeCell, useBehind } from './cells.ts';

const BehindList = lazy(async () => ({
  default: (await import('./behind-list.tsx')).BehindList,
}));

/** The drawer with the players behind the number that the address names. */
export function PlayersBehind() {
  const { behind, close } = useBehind();
  return (
    <Drawer
      opened={behind !== null}
      onClose={close}
      position="right"
      size={640}
      title={behind === null ? '' : describeCell(behind.cell)}
      closeButtonProps={{ 'aria-label': 'Close the list of players' }}
    >
      {behind !== null && (
        <Suspense fallback={<Lines />}>
          <BehindList key={JSON.stringify(behind)} {...behind} />
        </Suspense>
      )}
    </Drawer>
  );
}
