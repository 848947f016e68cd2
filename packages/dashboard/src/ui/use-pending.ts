import { notifyManager } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * Changes that are on their way to the server, so a page can already show them.
 * @returns the changes, and a function that sends a change and keeps it in the list until the answer comes.
 */
export function usePending<Change>() {
  const [pending, setPending] = useState<readonly Change[]>([]);
  const keep = async <Answer>(change: Change, send: () => Promise<Answer>): Promise<Answer> => {
    setPending((changes) => [...changes, change]);
    try {
      return await send();
    } finally {
      // The change stays until the page shows the new answer, so nothing flickers.
      notifyManager.schedule(() =>
        setPending((changes) => changes.filter((each) => each !== change)),
      );
    }
  };
  return [pending, keep] as const;
}
