import type { SavedReport } from '@overworld/contract/analytics/saved-reports';
import { useRead } from '../../api/hooks.ts';
import { IconAdjustmentsHorizontal, IconBookmark, IconMedal, IconTrophy } from '../../ui/icons.ts';
import { useGame } from '../game.ts';
import { iconOf } from './palette-item.tsx';
import type { PaletteGroups, PaletteItem } from './palette-item.tsx';
import { useOpen } from './recent.ts';

const ITEMS_SHOWN = 6;
/** Longest lists that the palette reads. */
const LIST_LIMIT = 200;

const REPORT_PAGES: Record<SavedReport['kind'], string> = {
  funnel: 'funnels',
  breakdown: 'breakdown',
  segment: 'segments',
  path: 'paths',
};

/**
 * Boards, achievements, parameters and reports of the game.
 * @param isTyped Whether letters are typed. Lists are read then.
 */
export function useListedGroups(isTyped: boolean): PaletteGroups {
  const { game_id, path, inEnvironment } = useGame();
  const open = useOpen();
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

  const groups = [
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
            to: path('achievements'),
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
            to: path('config'),
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
