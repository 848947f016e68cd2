import { Button, Menu } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { IconFlag } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { MarksContext } from '../../ui/charts/chart-marks.tsx';

const AnnotationDialog = lazy(async () => ({
  default: (await import('./annotation-dialog.tsx')).AnnotationDialog,
}));
const AnnotationsDialog = lazy(async () => ({
  default: (await import('./annotations-dialog.tsx')).AnnotationsDialog,
}));

/**
 * Puts the annotations of these days on all charts over time that the children render.
 * @param children Called with the menu in which users show, hide and write annotations.
 */
export function Annotations(props: {
  from: string;
  to: string;
  children: (menu: ReactNode) => ReactNode;
}) {
  const { from, to, children } = props;
  const { game, inEnvironment, can } = useGame();
  const [shown, setShown] = useLocalStorage<'on' | 'off'>({
    key: 'overworld.annotations',
    defaultValue: 'on',
    getInitialValueInEffect: false,
  });
  const read = useRead('GET /v1/games/{game_id}/annotations', inEnvironment({}, { from, to }), {
    keep: true,
  });
  const [writing, writeDialog] = useDisclosure();
  const [listed, setListed] = useState<readonly string[] | 'all' | null>(null);
  const annotations = read.data?.annotations;
  const { time_zone } = game;
  const context = useMemo(
    () =>
      shown === 'on' && annotations !== undefined
        ? {
            marks: annotations,
            time_zone,
            onOpen: (marks: readonly { id: string }[]) => setListed(marks.map(({ id }) => id)),
          }
        : null,
    [shown, annotations, time_zone],
  );

  const menu = (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<IconFlag size={16} aria-hidden />}>
          Annotations
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {can('developer') && <Menu.Item onClick={writeDialog.open}>Write annotation</Menu.Item>}
        <Menu.Item onClick={() => setListed('all')}>List annotations</Menu.Item>
        <Menu.Divider />
        <Menu.CheckboxItem
          checked={shown === 'on'}
          onChange={(checked) => setShown(checked ? 'on' : 'off')}
        >
          Show on charts
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );

  return (
    <MarksContext value={context}>
      {children(menu)}
      <Suspense>
        {writing && <AnnotationDialog opened onClose={writeDialog.close} edited={null} day={to} />}
        {listed !== null && (
          <AnnotationsDialog
            annotations={
              listed === 'all'
                ? (annotations ?? [])
                : (annotations ?? []).filter(({ id }) => listed.includes(id))
            }
            isComplete={read.data?.is_complete !== false}
            onClose={() => setListed(null)}
          />
        )}
      </Suspense>
    </MarksContext>
  );
}
