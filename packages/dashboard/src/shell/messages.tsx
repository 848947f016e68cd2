import { useNotifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import type { ComponentType } from 'react';
import { loadPage } from '../load-page.ts';

/**
 * The messages in the corner of the window. Their code is loaded when the reader first presses a key or
 * button, because each message follows such an action. If loading fails, the next message tries again.
 */
export function Messages() {
  const [List, setList] = useState<ComponentType | null>(null);
  const { notifications } = useNotifications();
  useEffect(() => {
    if (List !== null) return undefined;
    const load = () =>
      void loadPage(
        () => import('./message-list.tsx'),
        () => location.href,
      ).then(
        ({ MessageList }) => setList(() => MessageList),
        () => undefined,
      );
    if (notifications.length > 0) load();
    addEventListener('pointerdown', load, { once: true });
    addEventListener('keydown', load, { once: true });
    return () => {
      removeEventListener('pointerdown', load);
      removeEventListener('keydown', load);
    };
  }, [List, notifications]);
  return List && <List />;
}
