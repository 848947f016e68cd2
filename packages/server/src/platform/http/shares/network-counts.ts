import type { WindowCounts } from '../../workers/counts/window-counts.ts';

/**
 * Makes counts of some kind, one for each network, such as the number of clients that were cut off. All
 * workers share the counts.
 * @param name The name of this kind of counts. Each kind must have another name.
 * @param window_ms The length of a window, at most a minute. A count begins again with each window, and a
 * window begins with the first addition.
 */
export const createNetworkCounts = (windows: WindowCounts, name: string, window_ms: number) => ({
  /**
   * Adds `more` to the count of a network.
   * @returns the new count in the present window.
   */
  add: (network: string, more: number): number =>
    windows.add(`${name} ${network}`, more, window_ms).count,
  read: (network: string): number => windows.read(`${name} ${network}`, window_ms),
});
