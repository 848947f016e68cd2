import type { SavedReport } from '@overworld/contract/analytics/saved-reports';
import { AUDIT_ACTIONS, CHANGES_OUTSIDE_OF_GAMES } from '@overworld/contract/games/audit-actions';
import {
  IconAdjustmentsHorizontal,
  IconBell,
  IconBookmark,
  IconFlask,
  IconHistory,
  IconLayoutGrid,
  IconMedal,
  IconSum,
  IconTrophy,
  IconWebhook,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { useRead } from '../../api/hooks.ts';
import { OPENED } from '../../ui/opened-item.ts';
import { useGame } from '../game.ts';
import { iconOf } from './palette-item.tsx';
import type { PaletteGroups, PaletteItem } from './palette-item.tsx';
import type { Group } from './ranked.ts';
import { useOpen } from './recent.ts';

const ITEMS_SHOWN = 6;
/** The most items of a list that the palette loads. */
const LIST_LIMIT = 200;

const REPORT_PAGES: Record<SavedReport['kind'], string> = {
  funnel: 'funnels',
  breakdown: 'breakdown',
  segment: 'segments',
  path: 'paths',
  progression: 'progression',
};

/** A thing of the game that the palette finds. */
interface Listed {
  label: string;
  description?: string;
  keywords?: string;
  /** The URL path within the app. */
  to: string;
}

const CHANGES = Object.entries(AUDIT_ACTIONS).filter(
  ([action]) => !CHANGES_OUTSIDE_OF_GAMES.includes(action),
);

/**
 * Lists everything that a studio has defined in the game, and the kinds of changes in its audit log.
 * @param isTyped True if letters are typed; only then are the lists loaded.
 */
export function useListedGroups(isTyped: boolean): PaletteGroups {
  const { game_id, path, inEnvironment, can } = useGame();
  const open = useOpen();
  const reads = { enabled: isTyped };
  const whole_list = { params: { game_id }, query: { limit: LIST_LIMIT } };
  const here = inEnvironment({}, { limit: LIST_LIMIT });
  const boards = useRead('GET /v1/games/{game_id}/leaderboards', here, reads);
  const catalogue = useRead('GET /v1/games/{game_id}/achievements', inEnvironment(), reads);
  const stats = useRead('GET /v1/games/{game_id}/stats', inEnvironment(), reads);
  const config = useRead('GET /v1/games/{game_id}/config', inEnvironment(), reads);
  const reports = useRead('GET /v1/games/{game_id}/saved-reports', whole_list, reads);
  const dashboards = useRead('GET /v1/games/{game_id}/dashboards', { params: { game_id } }, reads);
  const experiments = useRead('GET /v1/games/{game_id}/experiments', here, reads);
  const alerts = useRead('GET /v1/games/{game_id}/alerts', here, reads);
  const webhooks = useRead('GET /v1/games/{game_id}/webhooks', whole_list, reads);

  /** Makes a URL that opens the page of a list and, on it, the dialog of one item. */
  const opening = (page: string, item: string) =>
    `${path(page)}?${new URLSearchParams({ [OPENED]: item })}`;

  /** Shows a list of the game only once letters are typed, because such lists would fill the palette. */
  const toGroup = (
    label: string,
    kind: string,
    icon: Icon,
    items: readonly Listed[] = [],
  ): Group<PaletteItem> => ({
    label,
    max: ITEMS_SHOWN,
    items: (isTyped ? items : []).map(({ to, ...item }) => ({
      ...item,
      key: `${item.label} ${to}`,
      icon: iconOf(icon),
      open: () => open({ label: item.label, kind, to }),
    })),
  });

  const groups = [
    toGroup(
      'Leaderboards',
      'Leaderboard',
      IconMedal,
      boards.data?.leaderboards.map(({ board_name: label }) => ({
        label,
        to: path('leaderboards', label),
      })),
    ),
    toGroup(
      'Achievements',
      'Achievement',
      IconTrophy,
      catalogue.data?.achievements.map(({ key, name: label }) => ({
        label,
        keywords: key,
        description: key,
        to: opening('achievements', key),
      })),
    ),
    toGroup(
      'Statistics',
      'Statistic',
      IconSum,
      stats.data?.stats.map(({ key, name: label }) => ({
        label,
        keywords: key,
        description: key,
        to: opening('stats', key),
      })),
    ),
    toGroup(
      'Parameters',
      'Parameter',
      IconAdjustmentsHorizontal,
      Object.entries(config.data?.parameters ?? {}).map(([label, { description }]) => ({
        label,
        keywords: description,
        description: description || undefined,
        to: opening('config', label),
      })),
    ),
    toGroup(
      'Experiments',
      'Experiment',
      IconFlask,
      experiments.data?.experiments.map(({ id, name: label, state: description }) => ({
        label,
        description,
        to: path('experiments', id),
      })),
    ),
    toGroup(
      'Dashboards',
      'Dashboard',
      IconLayoutGrid,
      dashboards.data?.dashboards.map(({ id, name }) => ({
        label: name,
        to: path('dashboards', id),
      })),
    ),
    toGroup(
      'Reports',
      'Report',
      IconBookmark,
      reports.data?.saved_reports.map(({ kind, name: label, query }) => ({
        label,
        keywords: kind,
        description: kind,
        to: `${path(REPORT_PAGES[kind])}?${query}`,
      })),
    ),
    toGroup(
      'Alerts',
      'Alert',
      IconBell,
      alerts.data?.alerts.map(({ id, name }) => ({ label: name, to: opening('alerts', id) })),
    ),
    toGroup(
      'Webhooks',
      'Webhook',
      IconWebhook,
      webhooks.data?.webhooks.map(({ id, url: label, description }) => ({
        label,
        keywords: description,
        description: description || undefined,
        to: path('webhooks', id),
      })),
    ),
    toGroup(
      'Audit log',
      'Changes',
      IconHistory,
      (can('developer') ? CHANGES : []).map(([action, label]) => ({
        label,
        to: `${path('audit-log')}?action=${action}`,
      })),
    ),
  ];
  const lists = [
    boards,
    catalogue,
    stats,
    config,
    reports,
    dashboards,
    experiments,
    alerts,
    webhooks,
  ];
  return { groups, isReading: lists.some(({ isLoading }) => isLoading) };
}
