import { Drawer } from '@mantine/core';
import { Navigation } from './navigation.tsx';
import classes from '../shell.module.css';

/** The navigation on narrow screens, which slides in from the side. */
export function PhoneMenu({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer.Root opened={opened} onClose={onClose} size={280}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu">
        <Drawer.Body>
          <div className={classes.drawer}>
            <Navigation />
          </div>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
