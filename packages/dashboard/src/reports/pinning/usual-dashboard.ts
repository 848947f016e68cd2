const LAST_CHOSEN = 'overworld.pinned-to';

/**
 * The dashboard that this tab made last or gave the last chart. The next chart is for this dashboard.
 */
export const usualDashboard = {
  read: (): string | null => sessionStorage.getItem(LAST_CHOSEN),
  keep: (id: string): void => sessionStorage.setItem(LAST_CHOSEN, id),
};
