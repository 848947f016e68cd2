import type { WindowCounts } from '../../workers/counts/window-counts.ts';

/**
 * The counts of each network, over all workers. An example is the number of clients that were cut off.
 * @param name Different for each kind of counts.
 * @param window_ms Length of a window, at most a minute; it begins with the first count.
 */
export const createNetworkCounts = (windows: WindowCounts, name: string, window_ms: number) => ({
  /** @returns The count of the network's window with `more` added. */
  add: (network: string, more: number): number =>
    windows.add(`${name} ${network}`, more, window_ms).count,
  read: (network: string): number => windows.read(`${name} ${network}`, window_ms),
});
