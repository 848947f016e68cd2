import type { WindowCounts } from '../../workers/counts/window-counts.ts';

/**
 * Makes a count for each network, such as the number of its clients that were cut off. All workers share
 * these counts.
 * @param name The name of the counts, different for each kind.
 * @param window_ms The length of a window, at most a minute. A window begins with the first count.
 */
export const createNetworkCounts = (windows: WindowCounts, name: string, window_ms: number) => ({
  /** Adds `more` to the count of a network. @returns the count of the network's window. */
  add: (network: string, more: number): number =>
    windows.add(`${name} ${network}`, more, window_ms).count,
  read: (network: string): number => windows.read(`${name} ${network}`, window_ms),
});
