import { Kbd, Modal } from '@mantine/core';
import { ALL_PLACES } from './places.ts';
import classes from './shortcut-list.module.css';
import { isMac } from './is-mac.ts';

/** The dialog that lists the letters that open pages. */
export function ShortcutList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="lg">
      <dl className={classes.list}>
        <div>
          <dt>
            <Kbd>{isMac ? '⌘' : 'Ctrl'}</Kbd> <Kbd>K</Kbd>
          </dt>
          <dd>Search pages, players and everything else</dd>
        </div>
        <div>
          <dt>
            <Kbd>?</Kbd>
          </dt>
          <dd>Show this list</dd>
        </div>
        {ALL_PLACES.filter(({ letter }) => letter).map(({ letter, name, path: page }) => (
          <div key={page}>
            <dt>
              <Kbd>G</Kbd> <Kbd>{letter?.toUpperCase()}</Kbd>
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
