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

/** Sends a visitor who is not logged in to the login page, which leads back here. */
function requireSession({ request }: LoaderFunctionArgs): null {
  if (session.token !== null) return null;
  const { pathname, search } = new URL(request.url);
  const query = pathname === '/' ? '' : `?${new URLSearchParams({ return_to: pathname + search })}`;
  throw redirect(`/login${query}`);
}

const readGames = () => queryClient.query(readQuery('GET /v1/games', {}));

/** Leads to the last game that the reader looked at, or to making the first one. */
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
/** A visitor with the setup link wants the account that the link makes. */
const leaveUnlessSetup = () => (window.location.hash === '' ? leaveWhenLoggedIn() : null);

const page =
  <Page,>(load: () => Promise<Page>) =>
  () =>
    loadPage(load, () => createPath(router.state.navigation.location ?? router.state.location));

/** The address has no page. */
const leadNowhere = (): never => {
  throw new Response(null, { status: 404 });
};
/** The frame stays around a page that breaks. */
const inFrame = (pages: RouteObject[]): RouteObject[] => [
  { errorElement: <Problem />, children: pages },
];

const routes: RouteObject[] = [
  { path: '/', loader: findHome, element: <Loading /> },
  { path: LEFT_GAME, element: <Navigate to="/" replace /> },
  {
    lazy: page(() => import('./pages/sign-in/sign-in-layout.tsx')),
    children: [
      {
        path: 'login',
        loader: leaveWhenLoggedIn,
        lazy: page(() => import('./pages/sign-in/login-page.tsx')),
      },
      {
        path: 'register',
        loader: leaveUnlessSetup,
        lazy: page(() => import('./pages/sign-in/register-page.tsx')),
      },
      {
        path: 'forgot-password',
        lazy: page(() => import('./pages/sign-in/forgot-password-page.tsx')),
      },
      {
        path: 'reset-password',
        lazy: page(() => import('./pages/sign-in/reset-password-page.tsx')),
      },
      { path: 'activate', lazy: page(() => import('./pages/sign-in/activate-page.tsx')) },
      { path: 'verify-email', lazy: page(() => import('./pages/sign-in/verify-email-page.tsx')) },
      { path: 'invitations', lazy: page(() => import('./pages/sign-in/invitation-page.tsx')) },
      { path: 'pending', lazy: page(() => import('./pages/sign-in/pending-page.tsx')) },
    ],
  },
  { path: 'shared', lazy: page(() => import('./pages/shared/shared-page.tsx')) },
  {
    path: 'games/new',
    loader: requireSession,
    lazy: page(() => import('./pages/first-run/new-game-page.tsx')),
  },
  { path: 'games/:game_id', loader: loadGame },
  {
    path: 'games/:game_id/:environment',
    loader: loadGame,
    // Filters change the address all the time; access to the game is checked only once.
    shouldRevalidate: ({ currentParams, nextParams }) =>
      currentParams.game_id !== nextParams.game_id ||
      currentParams.environment !== nextParams.environment,
    lazy: page(() => import('./shell/game-layout.tsx')),
    children: inFrame([
      { index: true, loader: () => redirect('overview') },
      { path: 'start', lazy: page(() => import('./pages/first-run/start-page.tsx')) },
      { path: 'overview', lazy: page(() => import('./pages/overview/overview-page.tsx')) },
      { path: 'dashboards', lazy: page(() => import('./pages/dashboards/dashboards-page.tsx')) },
      {
        path: 'dashboards/:dashboard_id',
        lazy: page(() => import('./pages/dashboards/dashboard-page.tsx')),
      },
      { path: 'players', lazy: page(() => import('./pages/players/explorer/players-page.tsx')) },
      { path: 'players/:player_id', lazy: page(() => import('./pages/players/player-page.tsx')) },
      { path: 'events', lazy: page(() => import('./pages/events/events-page.tsx')) },
      {
        path: 'experiments',
        lazy: page(() => import('./pages/experiments/experiments-page.tsx')),
      },
      {
        path: 'experiments/new',
        lazy: page(() => import('./pages/experiments/form/new-experiment-page.tsx')),
      },
      {
        path: 'experiments/:experiment_id',
        lazy: page(() => import('./pages/experiments/experiment-page.tsx')),
      },
      {
        path: 'experiments/:experiment_id/edit',
        lazy: page(() => import('./pages/experiments/form/edit-experiment-page.tsx')),
      },
      {
        path: 'event-schemas',
        lazy: page(() => import('./pages/events/schemas/event-schemas-page.tsx')),
      },
      {
        path: 'active-players',
        lazy: page(() => import('./pages/analytics/active-players-page.tsx')),
      },
      {
        path: 'retention',
        lazy: page(() => import('./pages/analytics/retention/retention-page.tsx')),
      },
      { path: 'funnels', lazy: page(() => import('./pages/analytics/funnels/funnels-page.tsx')) },
      { path: 'paths', lazy: page(() => import('./pages/analytics/paths/paths-page.tsx')) },
      {
        path: 'breakdown',
        lazy: page(() => import('./pages/analytics/breakdown/breakdown-page.tsx')),
      },
      { path: 'sessions', lazy: page(() => import('./pages/analytics/sessions-page.tsx')) },
      {
        path: 'segments',
        lazy: page(() => import('./pages/analytics/segments/segments-page.tsx')),
      },
      {
        path: 'revenue',
        lazy: page(() => import('./pages/analytics/revenue/revenue-page.tsx')),
      },
      {
        path: 'achievements',
        lazy: page(() => import('./pages/achievements/achievements-page.tsx')),
      },
      {
        path: 'leaderboards',
        lazy: page(() => import('./pages/leaderboards/leaderboards-page.tsx')),
      },
      {
        path: 'leaderboards/:board_name',
        lazy: page(() => import('./pages/leaderboards/board-page.tsx')),
      },
      {
        path: 'leaderboards/:board_name/players/:player_id',
        lazy: page(() => import('./pages/leaderboards/ledger-page.tsx')),
      },
      { path: 'config', lazy: page(() => import('./pages/remote-config/remote-config-page.tsx')) },
      { path: 'api-keys', lazy: page(() => import('./pages/api-keys/api-keys-page.tsx')) },
      {
        path: 'player-login',
        lazy: page(() => import('./pages/player-login/player-login-page.tsx')),
      },
      { path: 'shares', lazy: page(() => import('./pages/shares/shares-page.tsx')) },
      {
        path: 'player-verification',
        lazy: page(() => import('./pages/player-verification/player-verification-page.tsx')),
      },
      { path: 'alerts', lazy: page(() => import('./pages/alerts/alerts-page.tsx')) },
      { path: 'webhooks', lazy: page(() => import('./pages/webhooks/webhooks-page.tsx')) },
      {
        path: 'webhooks/:webhook_id',
        lazy: page(() => import('./pages/webhooks/webhook-page.tsx')),
      },
      { path: 'members', lazy: page(() => import('./pages/members/members-page.tsx')) },
      { path: 'usage', lazy: page(() => import('./pages/usage/usage-page.tsx')) },
      { path: 'audit-log', lazy: page(() => import('./pages/audit-log/audit-log-page.tsx')) },
      { path: 'settings', lazy: page(() => import('./pages/settings/settings-page.tsx')) },
      { path: '*', loader: leadNowhere },
    ]),
  },
  {
    loader: requireSession,
    lazy: page(() => import('./shell/plain-layout.tsx')),
    children: inFrame([
      { path: 'account', lazy: page(() => import('./pages/account/account-page.tsx')) },
      { path: 'admin', lazy: page(() => import('./pages/admin/admin-page.tsx')) },
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
