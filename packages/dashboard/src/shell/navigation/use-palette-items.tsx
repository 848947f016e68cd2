import {
  IconBolt,
  IconBook2,
  IconHistory,
  IconKeyboard,
  IconPlus,
  IconServer,
  IconSettings,
  IconUser,
} from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useRead, useRequired } from '../../api/hooks.ts';
import { ContourGlyph } from '../../ui/contours/contour-glyph.tsx';
import { ENVIRONMENT_NAMES, gamePath, useGame } from '../game.ts';
import { EnvironmentDot } from './environment-switch.tsx';
import { ALL_PLACES } from './places.ts';
import { iconOf } from './palette-item.tsx';
import type { PaletteGroups } from './palette-item.tsx';
import { listRecent, useOpen } from './recent.ts';
import { SHOW_SHORTCUTS } from './shortcuts.tsx';
import { useListedGroups } from './use-listed-groups.tsx';

/** Pages that another page leads to: no link of the navigation. */
const FURTHER_PAGES = [
  { label: 'Connect your game', keywords: 'start sdk snippet code', page: 'start' },
  { label: 'Data quality', keywords: 'refused events schema problems', page: 'events?tab=quality' },
  { label: 'Counts of events', keywords: 'names volume', page: 'events?tab=counts' },
  { label: 'Restore many saves', keywords: 'restorations bad build', page: 'save-restorations' },
  {
    label: 'Take back changes',
    keywords: 'restorations statistics stats undo',
    page: 'stat-restorations',
  },
];

const SETTINGS = [
  { label: 'Game name', keywords: 'rename', page: 'settings' },
  { label: 'Player names', keywords: 'display name property nickname', page: 'settings' },
  { label: 'Delete this game', keywords: 'remove erase', page: 'settings' },
];

/**
 * Returns everything that the command palette can open, except players.
 * @param isTyped True if the reader has typed something. Only
 * then are the game's lists loaded, such as its leaderboards.
 */
export function usePaletteGroups(isTyped: boolean): PaletteGroups {
  const { game_id, environment, path } = useGame();
  const { games } = useRequired('GET /v1/games', {});
  const { data: account } = useRead('GET /v1/auth/me', {});
  const inLists = useListedGroups(isTyped);
  const navigate = useNavigate();
  const open = useOpen();

  const other = environment === 'production' ? 'development' : 'production';
  const groups = [
    {
      label: 'Recent',
      items: isTyped
        ? []
        : listRecent(gamePath(game_id, environment, '')).map((recent) => ({
            key: recent.to,
            label: recent.label,
            description: recent.description ?? recent.kind,
            icon: iconOf(IconHistory),
            open: () => open(recent),
          })),
    },
    {
      label: 'Pages',
      items: ALL_PLACES.map(({ path: page, name, keywords, icon }) => ({
        key: page,
        label: name,
        keywords,
        icon: iconOf(icon),
        open: () => open({ label: name, kind: 'Page', to: path(page) }),
      })),
    },
    ...inLists.groups,
    {
      label: 'Settings',
      items: (isTyped ? SETTINGS : []).map(({ label, keywords, page }) => ({
        key: label,
        label,
        keywords,
        icon: iconOf(IconSettings),
        open: () => open({ label, kind: 'Setting', to: path(page) }),
      })),
    },
    {
      label: 'Games',
      items: games
        .filter(({ id }) => id !== game_id)
        .map(({ id, name }) => ({
          key: id,
          label: name,
          keywords: 'game',
          icon: <ContourGlyph seed={id} size={20} />,
          open: () => navigate(gamePath(id, environment)),
        })),
    },
    {
      label: 'Environment',
      items: [
        {
          key: other,
          label: `Switch to ${ENVIRONMENT_NAMES[other]}`,
          icon: <EnvironmentDot environment={other} />,
          open: () => navigate(gamePath(game_id, other)),
        },
      ],
    },
    {
      label: 'More',
      items: [
        ...FURTHER_PAGES.map(({ label, keywords, page }) => ({
          key: page,
          label,
          keywords,
          icon: iconOf(IconBolt),
          open: () => open({ label, kind: 'Page', to: path(page) }),
        })),
        {
          key: 'new game',
          label: 'New game',
          keywords: 'create',
          icon: iconOf(IconPlus),
          open: () => navigate('/games/new'),
        },
        {
          key: 'account',
          label: 'Your account',
          keywords: 'password theme log out',
          icon: iconOf(IconUser),
          open: () => navigate('/account'),
        },
        ...(account?.is_administrator
          ? [
              {
                key: 'admin',
                label: 'Administration',
                keywords: 'accounts tiers health installation',
                icon: iconOf(IconServer),
                open: () => navigate('/admin'),
              },
            ]
          : []),
        {
          key: 'docs',
          label: 'API reference',
          keywords: 'docs help openapi',
          icon: iconOf(IconBook2),
          open: () => window.open('/docs'),
        },
        {
          key: 'shortcuts',
          label: 'Keyboard shortcuts',
          keywords: 'help keys',
          icon: iconOf(IconKeyboard),
          open: () => dispatchEvent(new Event(SHOW_SHORTCUTS)),
        },
      ],
    },
  ];
  return { groups, isReading: inLists.isReading };
}
