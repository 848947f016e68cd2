import { useSyncExternalStore } from 'react';
import { wordsOf } from './failure.ts';

let problem: string | null = null;
const listeners = new Set<() => void>();

function set(next: string | null): void {
  if (problem === next) return;
  problem = next;
  for (const listener of listeners) listener();
}

/** Notes whether the last call reached the server. */
export const connection = {
  lost: (error: unknown) => set(wordsOf(error)),
  found: () => set(null),
};

/** The problem of the connection in words; null while there is none. */
export function useConnectionProblem(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => problem,
  );
}
