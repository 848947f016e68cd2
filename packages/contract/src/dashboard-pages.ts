/** The first segments of the paths at which the dashboard has pages, besides `/`. */
export const DASHBOARD_PAGES = [
  'login',
  'register',
  'forgot-password',
  'reset-password',
  'activate',
  'verify-email',
  'invitations',
  'pending',
  'shared',
  'games',
  'account',
  'admin',
] as const;

/** A path of a page, without its first slash. */
export type DashboardPath = `${(typeof DASHBOARD_PAGES)[number]}${'' | `/${string}`}`;
