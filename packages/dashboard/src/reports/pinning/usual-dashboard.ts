const LAST_CHOSEN = 'overworld.pinned-to';

/**
 * Remembers, for this browser tab, the dashboard that was last made or that a
 * chart was last pinned to. This dashboard is suggested for the next chart.
 */
export const usualDashboard = {
  read: (): string | null => sessionStorage.getItem(LAST_CHOSEN),
  keep: (id: string): void => sessionStorage.setItem(LAST_CHOSEN, id),
};
