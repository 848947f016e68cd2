import { Kbd, Modal } from '@mantine/core';
import { useDisclosure, useHotkeys, useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { useGame } from './game.ts';
import { ALL_PLACES } from './places.ts';
import classes from './shortcuts.module.css';

/** How long `g` waits for the letter of a page. */
const WAIT_MS = 1_500;
export const isMac = navigator.platform.startsWith('Mac');

/** Told by the command palette and the account menu. */
export const SHOW_SHORTCUTS = 'overworld:show-shortcuts';

/** `g` and a letter lead to a page; `?` says which. */
export function Shortcuts() {
  const { path } = useGame();
  const navigate = useNavigate();
  const [opened, dialog] = useDisclosure();
  const pressedAt = useRef(0);
  useWindowEvent(SHOW_SHORTCUTS, dialog.open);
  useHotkeys([
    ['shift + ?', dialog.open],
    ['g', () => (pressedAt.current = Date.now())],
    ...ALL_PLACES.map(({ letter, path: page }): [string, () => void] => [
      letter,
      () => {
        if (Date.now() - pressedAt.current > WAIT_MS) return;
        pressedAt.current = 0;
        void navigate(path(page));
      },
    ]),
  ]);

  return (
    <Modal opened={opened} onClose={dialog.close} title="Keyboard shortcuts">
      <dl className={classes.list}>
        <dt>
          <Kbd>{isMac ? '⌘' : 'Ctrl'}</Kbd> <Kbd>K</Kbd>
        </dt>
        <dd>Search pages, games and players</dd>
        <dt>
          <Kbd>?</Kbd>
        </dt>
        <dd>Show this list</dd>
        {ALL_PLACES.map(({ letter, name, path: page }) => (
          <div key={page}>
            <dt>
              <Kbd>G</Kbd> <Kbd>{letter.toUpperCase()}</Kbd>
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
