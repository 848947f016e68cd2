import type { ReactNode } from 'react';
import type { SavedReport } from '@overworld/contract/analytics/saved-reports';
import { useNavigate } from 'react-router';
import { useRead, useRequired } from '../../api/hooks.ts';
import { ContourGlyph } from '../../ui/contours/contour-glyph.tsx';
import {
  IconAdjustmentsHorizontal,
  IconBolt,
  IconBook2,
  IconBookmark,
  IconHistory,
  IconKeyboard,
  IconMedal,
  IconPlus,
  IconServer,
  IconSettings,
  IconTrophy,
  IconUser,
} from '../../ui/icons.ts';
import type { Icon } from '../../ui/icons.ts';
import { ENVIRONMENT_NAMES, gamePath, useGame } from '../game.ts';
import { EnvironmentDot } from './environment-switch.tsx';
import { ALL_PLACES } from './places.ts';
import type { Findable, Group } from './ranked.ts';
import { listRecent, useOpen } from './recent.ts';
import { SHOW_SHORTCUTS } from './shortcuts.tsx';

/** A line of the palette. */
export interface PaletteItem extends Findable {
  key: string;
  description?: string;
  icon: ReactNode;
  open: () => void;
}

interface PaletteGroups {
  groups: Group<PaletteItem>[];
  /** Some lists are on their way. */
  isReading: boolean;
}

const ITEMS_SHOWN = 6;
/** Longest lists that the palette reads. */
const LIST_LIMIT = 200;

const REPORT_PAGES: Record<SavedReport['kind'], string> = {
  funnel: 'funnels',
  breakdown: 'breakdown',
  segment: 'segments',
};

const SETTINGS = [
  { label: 'Game name', keywords: 'rename', page: 'settings' },
  { label: 'Player names', keywords: 'display name property nickname', page: 'settings' },
  { label: 'Delete this game', keywords: 'remove erase', page: 'settings' },
];

const iconOf = (Shown: Icon) => <Shown size={18} />;

/**
 * Everything that the palette can open, besides players.
 * @param isTyped Whether letters are typed. Lists are read then.
 */
export function usePaletteGroups(isTyped: boolean): PaletteGroups {
  const { game_id, environment, path, inEnvironment } = useGame();
  const { games } = useRequired('GET /v1/games', {});
  const { data: account } = useRead('GET /v1/auth/me', {});
  const reads = { enabled: isTyped };
  const in_game = { params: { game_id } };
  const boards = useRead(
    'GET /v1/games/{game_id}/leaderboards',
    inEnvironment({}, { limit: LIST_LIMIT }),
    reads,
  );
  const catalogue = useRead('GET /v1/games/{game_id}/achievements', inEnvironment(), reads);
  const config = useRead('GET /v1/games/{game_id}/config', inEnvironment(), reads);
  const reports = useRead(
    'GET /v1/games/{game_id}/saved-reports',
    { ...in_game, query: { limit: LIST_LIMIT } },
    reads,
  );
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
    {
      label: 'Leaderboards',
      max: ITEMS_SHOWN,
      items: listed(isTyped, boards.data?.leaderboards, ({ board_name }) => ({
        key: board_name,
        label: board_name,
        icon: iconOf(IconMedal),
        open: () =>
          open({
            label: board_name,
            kind: 'Leaderboard',
            to: path('leaderboards', board_name),
          }),
      })),
    },
    {
      label: 'Achievements',
      max: ITEMS_SHOWN,
      items: listed(isTyped, catalogue.data?.achievements, ({ key, name }) => ({
        key,
        label: name,
        keywords: key,
        description: key,
        icon: iconOf(IconTrophy),
        open: () =>
          open({
            label: name,
            kind: 'Achievement',
            to: `${path('achievements')}?${new URLSearchParams({ achievement: key })}`,
          }),
      })),
    },
    {
      label: 'Parameters',
      max: ITEMS_SHOWN,
      items: listed(isTyped, Object.entries(config.data?.parameters ?? {}), ([key, parameter]) => ({
        key,
        label: key,
        keywords: parameter.description,
        description: parameter.description || undefined,
        icon: iconOf(IconAdjustmentsHorizontal),
        open: () =>
          open({
            label: key,
            kind: 'Parameter',
            to: `${path('config')}?${new URLSearchParams({ parameter: key })}`,
          }),
      })),
    },
    {
      label: 'Reports',
      max: ITEMS_SHOWN,
      items: listed(isTyped, reports.data?.saved_reports, ({ kind, name, query }) => ({
        key: `${kind} ${name}`,
        label: name,
        keywords: kind,
        description: kind,
        icon: iconOf(IconBookmark),
        open: () =>
          open({ label: name, kind: 'Report', to: `${path(REPORT_PAGES[kind])}?${query}` }),
      })),
    },
    {
      label: 'Settings',
      items: listed(isTyped, SETTINGS, ({ label, keywords, page }) => ({
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
        {
          key: 'start',
          label: 'Connect your game',
          keywords: 'start sdk snippet code',
          icon: iconOf(IconBolt),
          open: () => navigate(path('start')),
        },
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
  const isReading = [boards, catalogue, config, reports].some(({ isLoading }) => isLoading);
  return { groups, isReading };
}

/** Lists of the game show once letters are typed: without letters they would fill the palette. */
const listed = <Row,>(
  isTyped: boolean,
  rows: readonly Row[] | undefined,
  toItem: (row: Row) => PaletteItem,
): PaletteItem[] => (isTyped && rows ? rows.map(toItem) : []);
