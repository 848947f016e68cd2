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
  IconMedal,
  IconRoute,
  IconScale,
  IconSettings,
  IconShieldCheck,
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
  /** Further words that find it in the palette. */
  keywords: string;
  /** The letter that leads to it after `g`. There are fewer letters than pages. */
  letter?: string;
}

export const GAME_PLACES: { heading: string | null; places: Place[] }[] = [
  {
    heading: null,
    places: [
      {
        path: 'overview',
        name: 'Overview',
        icon: IconLayoutDashboard,
        keywords: 'home today',
        letter: 'o',
      },
      {
        path: 'dashboards',
        name: 'Dashboards',
        icon: IconLayoutGrid,
        keywords: 'custom charts pinned cards share link',
        letter: 'x',
      },
      {
        path: 'players',
        name: 'Players',
        icon: IconUsers,
        keywords: 'explorer tags search',
        letter: 'p',
      },
      {
        path: 'events',
        name: 'Events',
        icon: IconBolt,
        keywords: 'track newest counts quality',
        letter: 'e',
      },
      {
        path: 'achievements',
        name: 'Achievements',
        icon: IconTrophy,
        keywords: 'unlock points',
        letter: 'a',
      },
      {
        path: 'leaderboards',
        name: 'Leaderboards',
        icon: IconMedal,
        keywords: 'scores ranks season',
        letter: 'l',
      },
    ],
  },
  {
    heading: 'Analytics',
    places: [
      {
        path: 'active-players',
        name: 'Active players',
        icon: IconActivity,
        keywords: 'analytics dau wau mau daily weekly monthly stickiness',
        letter: 'd',
      },
      {
        path: 'retention',
        name: 'Retention',
        icon: IconCalendarRepeat,
        keywords: 'analytics cohorts come back churn day 1 7 30',
        letter: 'r',
      },
      {
        path: 'funnels',
        name: 'Funnels',
        icon: IconChartFunnel,
        keywords: 'analytics conversion steps drop-off',
        letter: 'f',
      },
      {
        path: 'paths',
        name: 'Paths',
        icon: IconRoute,
        keywords: 'analytics sankey flow journey next previous before after events',
        letter: 'q',
      },
      {
        path: 'breakdown',
        name: 'Breakdown',
        icon: IconChartBarPopular,
        keywords: 'analytics sum average percentile property',
        letter: 'b',
      },
      {
        path: 'sessions',
        name: 'Sessions',
        icon: IconClock,
        keywords: 'analytics length playtime duration',
        letter: 't',
      },
      {
        path: 'revenue',
        name: 'Revenue',
        icon: IconCoin,
        keywords: 'analytics money purchases arpdau arppu payers conversion currency ltv',
        letter: 'g',
      },
      {
        path: 'segments',
        name: 'Segments',
        icon: IconUserSearch,
        keywords: 'analytics players who did cohort audience',
        letter: 'n',
      },
    ],
  },
  {
    heading: 'Configuration',
    places: [
      {
        path: 'config',
        name: 'Remote config',
        icon: IconAdjustmentsHorizontal,
        keywords: 'values rules flags',
        letter: 'c',
      },
      {
        path: 'experiments',
        name: 'Experiments',
        icon: IconFlask,
        keywords: 'a/b test variant winner significance confidence',
      },
      {
        path: 'event-schemas',
        name: 'Event schemas',
        icon: IconBraces,
        keywords: 'validation json properties',
        letter: 'v',
      },
      // The interface names this page so, in capitals.
      { path: 'api-keys', name: 'API Keys', icon: IconKey, keywords: 'secret sdk', letter: 'k' },
      {
        path: 'shares',
        name: 'Shares',
        icon: IconScale,
        keywords: 'rate limits requests minute flood 429 too many',
        letter: 'w',
      },
      {
        path: 'player-login',
        name: 'Player login',
        icon: IconLogin2,
        keywords: 'sign in providers steam google apple openid',
        letter: 'i',
      },
      {
        path: 'player-verification',
        name: 'Player verification',
        icon: IconShieldCheck,
        keywords: 'security token claimed required login cheat',
        letter: 'y',
      },
      {
        path: 'alerts',
        name: 'Alerts',
        icon: IconBell,
        keywords: 'notify mail threshold drop usual warn monitor',
        letter: 'z',
      },
      {
        path: 'webhooks',
        name: 'Webhooks',
        icon: IconWebhook,
        keywords: 'http post callback integrate signature',
        letter: 'j',
      },
      {
        path: 'members',
        name: 'Members',
        icon: IconUsersGroup,
        keywords: 'invite roles people team',
        letter: 'm',
      },
      { path: 'usage', name: 'Usage', icon: IconGauge, keywords: 'quota tier limit', letter: 'u' },
      {
        path: 'audit-log',
        name: 'Audit log',
        icon: IconHistory,
        keywords: 'who changed what',
        letter: 'h',
      },
      {
        path: 'settings',
        name: 'Settings',
        icon: IconSettings,
        keywords: 'name delete game',
        letter: 's',
      },
    ],
  },
];

export const ALL_PLACES: Place[] = GAME_PLACES.flatMap(({ places }) => places);
