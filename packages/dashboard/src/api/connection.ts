import { useSyncExternalStore } from 'react';
import { wordsOf } from './failure.ts';

let problem: string | null = null;
const listeners = new Set<() => void>();

function set(next: string | null): void {
  if (problem === next) return;
  problem = next;
  for (const listener of listeners) listener();
}

/** Whether the server answers, as the last call found it. */
export const connection = {
  lost: (error: unknown) => set(wordsOf(error)),
  found: () => set(null),
};

/** What is wrong with the connection, in words; null when all is well. */
export function useConnectionProblem(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => problem,
  );
}
