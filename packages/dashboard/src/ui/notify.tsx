import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { wordsOf } from '../api/failure.ts';

/** The time for which an offer to undo is shown, in milliseconds. It is long enough to notice a mistake. */
const UNDO_MS = 10_000;

/** Messages in the corner of the window. */
export const notify = {
  done: (message: string) => notifications.show({ message, color: 'moss' }),
  failed: (error: unknown) =>
    notifications.show({ message: wordsOf(error), color: 'clay', autoClose: 10_000 }),
  /** Reports that a change was made, with an offer to undo it if possible, or that the change failed. */
  outcome: (change: Promise<unknown>, message: string, undo?: () => Promise<unknown>) =>
    void change.then(
      () => (undo ? notify.undoable(message, undo) : notify.done(message)),
      notify.failed,
    ),
  /**
   * Offers to undo a change. The offer stays when the reader goes to another page.
   * @param key Names the offer, for `withdraw`.
   */
  undoable(message: string, undo: () => Promise<unknown>, key?: string): void {
    const id = notifications.show({
      id: key,
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
  /** Removes an offer to undo, because its change was undone elsewhere or can no longer be undone. */
  withdraw: (key: string) => void notifications.hide(key),
};
