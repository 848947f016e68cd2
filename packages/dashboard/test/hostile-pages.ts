import { HOSTILE_NAMES } from './hostile-names.ts';

export const [HTML, , WIDE, LONG, MIRRORED] = HOSTILE_NAMES as [
  html: string,
  image: string,
  wide: string,
  long: string,
  mirrored: string,
];

/**
 * Makes the path of a page with these parameters. Their names and values are such that they break careless
 * pages.
 */
const ask = (page: string, question: Record<string, string>) =>
  `${page}?${new URLSearchParams(question)}`;
export const choiceOf = (name: string) => ({
  event_name: name,
  filter: [{ property: name, operator: 'exists' }],
});
export const FUNNEL = ask('funnels', {
  steps: JSON.stringify(HOSTILE_NAMES.slice(0, 8).map(choiceOf)),
  breakdown: HTML,
});
const PATHS = ask('paths', { event_name: LONG, hide: WIDE, steps: '5' });
export const BREAKDOWN = ask('breakdown', { event_name: LONG, group_by: LONG, property: WIDE });
export const PROGRESSION = ask('progression', {
  start_event: LONG,
  fail_event: WIDE,
  complete_event: HTML,
  property: WIDE,
});
const SEGMENT = ask('segments', {
  tag: '<b>vip</b>',
  filter: JSON.stringify(choiceOf(WIDE).filter),
  events: JSON.stringify([choiceOf(LONG), { event_name: MIRRORED, did: false }]),
});

/** The pages of a game, each with its heading. */
export const GAME_PAGES: readonly (readonly [path: string, heading: string])[] = [
  ['overview', 'Test game'],
  ['start', 'Connect Test game'],
  ['dashboards', 'Dashboards'],
  ['players', 'Players'],
  ['save-restorations', 'Restore many saves'],
  ['players/p1', 'p1'],
  ['players/p1?tab=timeline', 'p1'],
  ['players/p1?tab=save', 'p1'],
  ['players/p1?tab=achievements', 'p1'],
  ['players/p1?tab=stats', 'p1'],
  ['players/p1?tab=scores', 'p1'],
  ['players/p1?tab=logins', 'p1'],
  ['events', 'Events'],
  ['events?tab=counts', 'Events'],
  ['events?tab=quality', 'Events'],
  ['active-players', 'Active players'],
  ['active-players?range=7&table=players', 'Active players'],
  ['retention', 'Retention'],
  [FUNNEL, 'Funnels'],
  [`${FUNNEL}&table=steps`, 'Funnels'],
  [PATHS, 'Paths'],
  [`${PATHS}&table=paths`, 'Paths'],
  [PROGRESSION, 'Progression'],
  [`${PROGRESSION}&table=steps`, 'Progression'],
  [BREAKDOWN, 'Breakdown'],
  [`${BREAKDOWN}&table=groups`, 'Breakdown'],
  ['metrics', 'Metrics'],
  ['metrics?table=days', 'Metrics'],
  ['sessions', 'Sessions'],
  ['lifetime-value', 'Lifetime value'],
  ['releases?show=all', 'Releases'],
  ['releases/compare', 'Compare releases'],
  ['revenue', 'Revenue'],
  ['revenue?table=revenue&table=conversion', 'Revenue'],
  [SEGMENT, 'Segments'],
  ['achievements', 'Achievements'],
  ['messages', 'Messages'],
  ['leaderboards', 'Leaderboards'],
  ['leaderboards/race', 'race'],
  ['leaderboards/race?tab=waiting', 'race'],
  ['leaderboards/race?tab=decisions', 'race'],
  ['leaderboards/race/players/p1', 'p1'],
  ['event-schemas', 'Event schemas'],
  ['stats', 'Statistics'],
  ['stat-restorations', 'Take back changes'],
  ['config', 'Remote config'],
  ['config?tab=history', 'Remote config'],
  ['config?tab=scheduled', 'Remote config'],
  ['experiments', 'Experiments'],
  ['experiments/new', 'New experiment'],
  ['api-keys', 'API Keys'],
  ['access-tokens', 'Access tokens'],
  ['shares', 'Rate limits'],
  ['player-login', 'Player login'],
  ['player-verification', 'Player verification'],
  ['alerts', 'Alerts'],
  ['webhooks', 'Webhooks'],
  ['members', 'Members'],
  ['usage', 'Usage'],
  ['audit-log', 'Audit log'],
  ['settings', 'Settings'],
];

const LISTS = [
  'players',
  'events',
  'achievements',
  'messages',
  'leaderboards',
  'leaderboards/race',
];
const DECISIONS = ['leaderboards/race?tab=waiting', 'leaderboards/race?tab=decisions'];
const REPORTS = [PATHS, 'revenue', FUNNEL, `${FUNNEL}&table=steps`, BREAKDOWN, SEGMENT];
/** The pages of the game that show names which players and games choose. */
export const PAGES_OF_NAMES = GAME_PAGES.filter(([path]) =>
  ['overview', 'dashboards', ...LISTS, ...DECISIONS, ...REPORTS].includes(path),
);
