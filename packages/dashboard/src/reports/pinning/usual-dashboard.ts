const LAST_CHOSEN = 'overworld.pinned-to';

/**
 * The dashboard that this tab last made or pinned a chart to. It is suggested for the next chart.
 */
export const usualDashboard = {
  read: (): string | null => sessionStorage.getItem(LAST_CHOSEN),
  keep: (id: string): void => sessionStorage.setItem(LAST_CHOSEN, id),
};
