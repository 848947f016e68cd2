import { notifications } from '@mantine/notifications';
import { wordsOf } from '../api/failure.ts';

/** Says in the corner what was done, or what went wrong. */
export const notify = {
  done: (message: string) => notifications.show({ message, color: 'moss' }),
  failed: (error: unknown) =>
    notifications.show({ message: wordsOf(error), color: 'clay', autoClose: 10_000 }),
};
