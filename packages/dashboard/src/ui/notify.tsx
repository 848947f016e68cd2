import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { wordsOf } from '../api/failure.ts';

/** Long enough to notice a slip. */
const UNDO_MS = 10_000;

/** Says in the corner what was done, or what went wrong. */
export const notify = {
  done: (message: string) => notifications.show({ message, color: 'moss' }),
  failed: (error: unknown) =>
    notifications.show({ message: wordsOf(error), color: 'clay', autoClose: 10_000 }),
  /** Says that a change was done, or what went wrong. */
  outcome: (change: Promise<unknown>, message: string) =>
    void change.then(() => notify.done(message), notify.failed),
  /** Offers for a while to take back what was done, also when the page is left meanwhile. */
  undoable(message: string, undo: () => Promise<unknown>): void {
    const id = notifications.show({
      color: 'moss',
      autoClose: UNDO_MS,
      message: (
        <Group justify="space-between" wrap="nowrap">
          <span className="name">{message}</span>
          <Button
            size="compact-sm"
            variant="light"
            style={{ flex: 'none' }}
            onClick={() => {
              notifications.hide(id);
              undo().catch(notify.failed);
            }}
          >
            Undo
          </Button>
        </Group>
      ),
    });
  },
};
