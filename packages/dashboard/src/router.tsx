import type { DashboardPath } from '@overworld/contract/dashboard-pages';
import type { ComponentType } from 'react';
import { createBrowserRouter, createPath, Navigate, redirect } from 'react-router';
import type { LoaderFunctionArgs, RouteObject } from 'react-router';
import { Failure } from './api/failure.ts';
import { readQuery } from './api/hooks.ts';
import { isSetupRequired, queryClient } from './api/query-client.ts';
import { session } from './api/session.ts';
import { loadPage } from './load-page.ts';
import { gamePath, isEnvironment, lastPlace, LEFT_GAME } from './shell/game.ts';
import { FramedProblem, Problem } from './shell/problem.tsx';
import { Loading } from './shell/loading.tsx';
import { PAGE_LEFT } from './ui/page-left.ts';

/** Sends a visitor who is not logged in to the login page. After the login, the visitor returns here. */
function requireSession({ request }: LoaderFunctionArgs): null {
  if (session.token !== null) return null;
  const { pathname, search } = new URL(request.url);
  const query = pathname === '/' ? '' : `?${new URLSearchParams({ return_to: pathname + search })}`;
  throw redirect(`/login${query}`);
}

const readGames = () => queryClient.query(readQuery('GET /v1/games', {}));

/**
 * Redirects to the game that the reader saw last. If there is no game, redirects to the page where the first
 * game can be made.
 */
async function findHome(args: LoaderFunctionArgs): Promise<Response> {
  requireSession(args);
  const { games } = await readGames().catch(leaveRefused);
  const last = lastPlace.read();
  const game = games.find(({ id }) => id === last?.game_id) ?? games[0];
  if (game === undefined) return redirect('/games/new');
  return redirect(gamePath(game.id, last?.environment ?? 'production'));
}

async function loadGame(args: LoaderFunctionArgs): Promise<null> {
  requireSession(args);
  const { game_id = '', environment } = args.params;
  if (!isEnvironment(environment)) throw redirect(gamePath(game_id, 'production'));
  const { games } = await readGames().catch(leaveRefused);
  if (!games.some(({ id }) => id === game_id)) {
    throw new Response('There is no such game, or you are no member of it', { status: 404 });
  }
  return null;
}

function leaveRefused(error: unknown): never {
  if (error instanceof Failure && error.status === 401) throw redirect('/login?expired=');
  if (isSetupRequired(error)) throw redirect('/account');
  throw error;
}

const leaveWhenLoggedIn = () => (session.token === null ? null : redirect('/'));
/**
 * Leaves the page if the visitor is logged in. A link with a token keeps the page open, because it makes a new
 * account, or logs in to another one.
 */
const leaveUnlessLinked = () => (window.location.hash === '' ? leaveWhenLoggedIn() : null);

interface PageModule {
  Component: ComponentType;
}

const page = (load: () => Promise<PageModule>) => () =>
  loadPage(load, () => createPath(router.state.navigation.location ?? router.state.location));

/** Makes the route for a page at a path. */
const at = (
  path: string,
  load: () => Promise<PageModule>,
  loader?: RouteObject['loader'],
): RouteObject => ({ path, loader, lazy: page(load) });

/** Makes the route for a page whose path the server knows, so that it answers there with the app. */
const atTop: (
  path: DashboardPath,
  load: () => Promise<PageModule>,
  loader?: RouteObject['loader'],
) => RouteObject = at;

/** Answers a path that belongs to no page with the error 404. */
const leadNowhere = (): never => {
  throw new Response(null, { status: 404 });
};
/**
 * If a page breaks, shows the problem in place of the page. The frame around it, with the navigation, stays.
 */
const inFrame = (pages: RouteObject[]): RouteObject[] => [
  { errorElement: <Problem />, children: pages },
];

const routes: RouteObject[] = [
  { path: '/', loader: findHome, element: <Loading /> },
  { path: LEFT_GAME, element: <Navigate to="/" replace /> },
  {
    lazy: page(() => import('./pages/sign-in/sign-in-layout.tsx')),
    children: [
      atTop('login', () => import('./pages/sign-in/login-page.tsx'), leaveUnlessLinked),
      atTop('login/identity', () => import('./pages/sign-in/identity-page.tsx')),
      atTop('register', () => import('./pages/sign-in/register-page.tsx'), leaveUnlessLinked),
      atTop('forgot-password', () => import('./pages/sign-in/forgot-password-page.tsx')),
      atTop('reset-password', () => import('./pages/sign-in/reset-password-page.tsx')),
      atTop('activate', () => import('./pages/sign-in/activate-page.tsx')),
      atTop('verify-email', () => import('./pages/sign-in/verify-email-page.tsx')),
      atTop('invitations', () => import('./pages/sign-in/invitation-page.tsx')),
      atTop('pending', () => import('./pages/sign-in/pending-page.tsx')),
    ],
  },
  atTop('shared', () => import('./pages/shared/shared-page.tsx')),
  atTop('games/new', () => import('./pages/first-run/new-game-page.tsx'), requireSession),
  { path: 'games/:game_id', loader: loadGame },
  {
    path: 'games/:game_id/:environment',
    loader: loadGame,
    // Filters often change the URL. Access is checked only when the game or the environment changes.
    shouldRevalidate: ({ currentParams, nextParams }) =>
      currentParams.game_id !== nextParams.game_id ||
      currentParams.environment !== nextParams.environment,
    lazy: page(() => import('./shell/game-layout.tsx')),
    children: inFrame([
      { index: true, loader: () => redirect('overview') },
      at('start', () => import('./pages/first-run/start-page.tsx')),
      at('overview', () => import('./pages/overview/overview-page.tsx')),
      at('dashboards', () => import('./pages/dashboards/dashboards-page.tsx')),
      at('dashboards/:dashboard_id', () => import('./pages/dashboards/dashboard-page.tsx')),
      at('players', () => import('./pages/players/explorer/players-page.tsx')),
      at('save-restorations', () => import('./pages/players/restorations/restorations-page.tsx')),
      at(
        'save-restorations/:restoration_id',
        () => import('./pages/players/restorations/restoration-page.tsx'),
      ),
      at('players/:player_id', () => import('./pages/players/player-page.tsx')),
      at('events', () => import('./pages/events/events-page.tsx')),
      at('experiments', () => import('./pages/experiments/experiments-page.tsx')),
      at('experiments/new', () => import('./pages/experiments/form/new-experiment-page.tsx')),
      at('experiments/:experiment_id', () => import('./pages/experiments/experiment-page.tsx')),
      at(
        'experiments/:experiment_id/edit',
        () => import('./pages/experiments/form/edit-experiment-page.tsx'),
      ),
      at('event-schemas', () => import('./pages/events/schemas/event-schemas-page.tsx')),
      at(
        'active-players',
        () => import('./pages/analytics/active-players/active-players-page.tsx'),
      ),
      at('retention', () => import('./pages/analytics/retention/retention-page.tsx')),
      at('funnels', () => import('./pages/analytics/funnels/funnels-page.tsx')),
      at('paths', () => import('./pages/analytics/paths/paths-page.tsx')),
      at('progression', () => import('./pages/analytics/progression/progression-page.tsx')),
      at('metrics', () => import('./pages/metrics/metrics-page.tsx')),
      at('breakdown', () => import('./pages/analytics/breakdown/breakdown-page.tsx')),
      at('sessions', () => import('./pages/analytics/sessions/sessions-page.tsx')),
      at('segments', () => import('./pages/analytics/segments/segments-page.tsx')),
      at(
        'lifetime-value',
        () => import('./pages/analytics/lifetime-value/lifetime-value-page.tsx'),
      ),
      at('releases', () => import('./pages/releases/releases-page.tsx')),
      at('releases/compare', () => import('./pages/releases/compare-page.tsx')),
      at('revenue', () => import('./pages/analytics/revenue/revenue-page.tsx')),
      at('achievements', () => import('./pages/achievements/achievements-page.tsx')),
      at('messages', () => import('./pages/messages/messages-page.tsx')),
      at('leaderboards', () => import('./pages/leaderboards/leaderboards-page.tsx')),
      at('leaderboards/:board_name', () => import('./pages/leaderboards/board-page.tsx')),
      at(
        'leaderboards/:board_name/players/:player_id',
        () => import('./pages/leaderboards/ledger-page.tsx'),
      ),
      at('stats', () => import('./pages/stats/stats-page.tsx')),
      at('stat-restorations', () => import('./pages/stats/restorations/restorations-page.tsx')),
      at(
        'stat-restorations/:restoration_id',
        () => import('./pages/stats/restorations/restoration-page.tsx'),
      ),
      at('config', () => import('./pages/remote-config/remote-config-page.tsx')),
      at('api-keys', () => import('./pages/api-keys/api-keys-page.tsx')),
      at('access-tokens', () => import('./pages/access-tokens/access-tokens-page.tsx')),
      at('player-login', () => import('./pages/player-login/player-login-page.tsx')),
      at('shares', () => import('./pages/shares/shares-page.tsx')),
      at(
        'player-verification',
        () => import('./pages/player-verification/player-verification-page.tsx'),
      ),
      at('alerts', () => import('./pages/alerts/alerts-page.tsx')),
      at('webhooks', () => import('./pages/webhooks/webhooks-page.tsx')),
      at('webhooks/:webhook_id', () => import('./pages/webhooks/webhook-page.tsx')),
      at('members', () => import('./pages/members/members-page.tsx')),
      at('usage', () => import('./pages/usage/usage-page.tsx')),
      at('audit-log', () => import('./pages/audit-log/audit-log-page.tsx')),
      at('settings', () => import('./pages/settings/settings-page.tsx')),
      { path: '*', loader: leadNowhere },
    ]),
  },
  {
    loader: requireSession,
    lazy: page(() => import('./shell/plain-layout.tsx')),
    children: inFrame([
      atTop('account', () => import('./pages/account/account-page.tsx')),
      atTop('admin', () => import('./pages/admin/admin-page.tsx')),
    ]),
  },
];

export const router = createBrowserRouter([
  { errorElement: <FramedProblem />, HydrateFallback: Loading, children: routes },
]);

let { pathname } = router.state.location;
router.subscribe(({ location, navigation }) => {
  const next = (navigation.location ?? location).pathname;
  if (next !== pathname) dispatchEvent(new Event(PAGE_LEFT));
  pathname = next;
});
