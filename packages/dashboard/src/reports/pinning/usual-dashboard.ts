const LAST_CHOSEN = 'overworld.pinned-to';

/** The dashboard of this tab that was last made, or got the last chart: the next chart is for it. */
export const usualDashboard = {
  read: (): string | null => sessionStorage.getItem(LAST_CHOSEN),
  keep: (id: string): void => sessionStorage.setItem(LAST_CHOSEN, id),
};
