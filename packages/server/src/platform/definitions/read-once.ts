import type { DefinitionChange } from './definition-kind.ts';

/**
 * Makes a function that reads something of a game once for each apply, at its first call. An apply may change a
 * thousand things, and each of them is found by its key among all others, while other changes of the game wait.
 */
export function readOnce<T>(
  read: (change: DefinitionChange) => Promise<T>,
): (change: DefinitionChange) => Promise<T> {
  const known = new WeakMap<DefinitionChange, Promise<T>>();
  return (change) => {
    const reading = known.get(change) ?? read(change);
    known.set(change, reading);
    return reading;
  };
}
