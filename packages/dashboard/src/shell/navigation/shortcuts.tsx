import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { lazy, Suspense, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useGame } from '../game.ts';
import { ALL_PLACES } from './places.ts';

const ShortcutList = lazy(async () => ({
  default: (await import('./shortcut-list.tsx')).ShortcutList,
}));

/** The time within which the letter of a page must follow `g`. Keys can arrive late on a busy machine. */
const WAIT_MS = 5_000;

/** The name of the window event that opens the list of shortcuts. */
export const SHOW_SHORTCUTS = 'overworld:show-shortcuts';

/** Handles the shortcuts: `g` and a letter open a page, and `?` opens the list of letters. */
export function Shortcuts() {
  const { path } = useGame();
  const navigate = useNavigate();
  // The code of the list is loaded when the list is first opened.
  const [wasOpened, setWasOpened] = useState(false);
  const [opened, dialog] = useDisclosure(false, { onOpen: () => setWasOpened(true) });
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
    wasOpened && (
      <Suspense>
        <ShortcutList opened={opened} onClose={dialog.close} />
      </Suspense>
    )
  );
}

/** Tells whether a key was pressed in a field or a dialog. */
const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;
