import {
  IconActivity,
  IconAdjustmentsHorizontal,
  IconBell,
  IconBolt,
  IconBraces,
  IconCalendarRepeat,
  IconChartBarPopular,
  IconChartFunnel,
  IconClock,
  IconCoin,
  IconFlask,
  IconGauge,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconLayoutGrid,
  IconLogin2,
  IconMail,
  IconMathFunction,
  IconMedal,
  IconPackage,
  IconRobot,
  IconRoute,
  IconScale,
  IconPigMoney,
  IconSettings,
  IconStairsUp,
  IconShieldCheck,
  IconSum,
  IconTrophy,
  IconUserSearch,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';

/** A page of a game: its path below `/games/{game_id}/{environment}/`. */
export interface Place {
  path: string;
  name: string;
  icon: Icon;
  /** Further words by which the palette finds the page. */
  keywords: string;
  /**
   * The letter key that opens the page when it is pressed after `g`.
   * Some pages have none, because there are more pages than letters.
   */
  letter?: string;
}

const place = (
  path: string,
  name: string,
  icon: Icon,
  keywords: string,
  letter?: string,
): Place => ({
  path,
  name,
  icon,
  keywords,
  letter,
});

export const OVERVIEW = place('overview', 'Overview', IconLayoutDashboard, 'home today', 'o');

const WATCH: Place[] = [
  place('dashboards', 'Dashboards', IconLayoutGrid, 'custom charts pinned cards share link', 'x'),
  place(
    'active-players',
    'Active players',
    IconActivity,
    'analytics dau wau mau daily weekly monthly stickiness',
    'd',
  ),
  place(
    'retention',
    'Retention',
    IconCalendarRepeat,
    'analytics cohorts come back churn day 1 7 30',
    'r',
  ),
  place('sessions', 'Sessions', IconClock, 'analytics length playtime duration', 't'),
  place(
    'revenue',
    'Revenue',
    IconCoin,
    'analytics money purchases arpdau arppu payers conversion currency ltv',
    'g',
  ),
  place('funnels', 'Funnels', IconChartFunnel, 'analytics conversion steps drop-off', 'f'),
  place(
    'paths',
    'Paths',
    IconRoute,
    'analytics sankey flow journey next previous before after events',
    'q',
  ),
  place(
    'progression',
    'Progression',
    IconStairsUp,
    'analytics levels stages fails tries difficulty quit',
  ),
  place(
    'breakdown',
    'Breakdown',
    IconChartBarPopular,
    'analytics sum average percentile property',
    'b',
  ),
  place(
    'metrics',
    'Metrics',
    IconMathFunction,
    'analytics kpi ratio average percentile conversion',
  ),
  place(
    'releases',
    'Releases',
    IconPackage,
    'analytics versions app_version builds compare update',
  ),
  place('alerts', 'Alerts', IconBell, 'notify mail threshold drop usual warn monitor', 'z'),
];

const PLAYERS: Place[] = [
  place('players', 'Players', IconUsers, 'explorer tags search', 'p'),
  place(
    'lifetime-value',
    'Lifetime value',
    IconPigMoney,
    'analytics ltv revenue by cohort forecast payers',
  ),
  place('segments', 'Segments', IconUserSearch, 'analytics players who did cohort audience', 'n'),
  place('messages', 'Messages', IconMail, 'send mail inbox reward gift coins compensation recall'),
];

const LIVE: Place[] = [
  place('leaderboards', 'Leaderboards', IconMedal, 'scores ranks season', 'l'),
  place('achievements', 'Achievements', IconTrophy, 'unlock points', 'a'),
  place('stats', 'Statistics', IconSum, 'stats counters numbers sum best coins wins of players'),
  place('config', 'Remote config', IconAdjustmentsHorizontal, 'values rules flags', 'c'),
  place('experiments', 'Experiments', IconFlask, 'a/b test variant winner significance confidence'),
];

const BUILD: Place[] = [
  place('events', 'Events', IconBolt, 'track newest counts quality', 'e'),
  place('event-schemas', 'Event schemas', IconBraces, 'validation json properties', 'v'),
  // In the dashboard, both words of "API Keys" have a capital.
  place('api-keys', 'API Keys', IconKey, 'secret sdk', 'k'),
  place('access-tokens', 'Access tokens', IconRobot, 'machine ci notebook bearer pat api script'),
  place('webhooks', 'Webhooks', IconWebhook, 'http post callback integrate signature', 'j'),
  place(
    'player-login',
    'Player login',
    IconLogin2,
    'sign in providers steam google apple openid',
    'i',
  ),
  place(
    'player-verification',
    'Player verification',
    IconShieldCheck,
    'security token claimed required login cheat',
    'y',
  ),
  place('shares', 'Rate limits', IconScale, 'shares requests minute flood 429 too many', 'w'),
];

const STUDIO: Place[] = [
  place('members', 'Members', IconUsersGroup, 'invite roles people team', 'm'),
  place('usage', 'Usage', IconGauge, 'quota tier limit', 'u'),
  place('audit-log', 'Audit log', IconHistory, 'who changed what', 'h'),
  place('settings', 'Settings', IconSettings, 'name delete game', 's'),
];

interface PlaceGroup {
  heading: string;
  places: Place[];
}

/** The pages of a game by what people do there. The first page is in no group. */
export const GAME_PLACES: PlaceGroup[] = [
  { heading: 'Watch', places: WATCH },
  { heading: 'Players', places: PLAYERS },
  { heading: 'Live', places: LIVE },
  { heading: 'Build', places: BUILD },
  { heading: 'Studio', places: STUDIO },
];

export const ALL_PLACES: Place[] = [OVERVIEW, ...GAME_PLACES.flatMap(({ places }) => places)];
