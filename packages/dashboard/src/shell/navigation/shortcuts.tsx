import { Kbd, Modal } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { useGame } from '../game.ts';
import { ALL_PLACES } from './places.ts';
import classes from './shortcuts.module.css';

/** How long `g` waits for the letter of a page. On a busy machine keys come late. */
const WAIT_MS = 5_000;
export const isMac = navigator.platform.startsWith('Mac');

/** Event of the window, which opens the list of shortcuts. */
export const SHOW_SHORTCUTS = 'overworld:show-shortcuts';

/** `g` and a letter open a page; `?` shows the list of letters. */
export function Shortcuts() {
  const { path } = useGame();
  const navigate = useNavigate();
  const [opened, dialog] = useDisclosure();
  const pressedAt = useRef(-Infinity);
  useWindowEvent(SHOW_SHORTCUTS, dialog.open);
  // Reads the character and not the key, because keyboards have `?` on different keys.
  useWindowEvent('keydown', ({ key, ctrlKey, metaKey, altKey, target, timeStamp }) => {
    if (ctrlKey || metaKey || altKey || isTyping(target)) return;
    if (key === '?') dialog.open();
    const place = ALL_PLACES.find(({ letter }) => letter === key);
    if (place && timeStamp - pressedAt.current < WAIT_MS) void navigate(path(place.path));
    pressedAt.current = key === 'g' ? timeStamp : -Infinity;
  });

  return (
    <Modal opened={opened} onClose={dialog.close} title="Keyboard shortcuts">
      <dl className={classes.list}>
        <dt>
          <Kbd>{isMac ? '⌘' : 'Ctrl'}</Kbd> <Kbd>K</Kbd>
        </dt>
        <dd>Search pages, players and everything else</dd>
        <dt>
          <Kbd>?</Kbd>
        </dt>
        <dd>Show this list</dd>
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

/** Tells whether a key belongs to a field or to a dialog. */
const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;
