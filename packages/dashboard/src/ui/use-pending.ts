import { notifyManager } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * Changes that are on their way to the server, so that a page can show them at once.
 * @returns the changes, and a function that keeps a change among them while it is sent.
 */
export function usePending<Change>() {
  const [pending, setPending] = useState<readonly Change[]>([]);
  const keep = async <Answer>(change: Change, send: () => Promise<Answer>): Promise<Answer> => {
    setPending((changes) => [...changes, change]);
    try {
      return await send();
    } finally {
      // Waits until the page shows the new answer, so that nothing flickers.
      notifyManager.schedule(() =>
        setPending((changes) => changes.filter((each) => each !== change)),
      );
    }
  };
  return [pending, keep] as const;
}
