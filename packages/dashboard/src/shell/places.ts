import {
  IconAdjustmentsHorizontal,
  IconBolt,
  IconBraces,
  IconGauge,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconMedal,
  IconSettings,
  IconTrophy,
  IconUsers,
  IconUsersGroup,
} from '../ui/icons.ts';
import type { Icon } from '../ui/icons.ts';

/** A page of a game: its path below `/games/{game_id}/{environment}/`. */
export interface Place {
  path: string;
  name: string;
  icon: Icon;
  /** Other words that people look for it by. */
  keywords: string;
  /** The letter that leads to it after `g`. */
  letter: string;
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
        path: 'players',
        name: 'Players',
        icon: IconUsers,
        keywords: 'explorer segment tags search',
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
    heading: 'Configuration',
    places: [
      {
        path: 'config',
        name: 'Remote Config',
        icon: IconAdjustmentsHorizontal,
        keywords: 'values rules flags',
        letter: 'c',
      },
      {
        path: 'event-schemas',
        name: 'Event schemas',
        icon: IconBraces,
        keywords: 'validation json properties',
        letter: 'v',
      },
      { path: 'api-keys', name: 'API Keys', icon: IconKey, keywords: 'secret sdk', letter: 'k' },
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
