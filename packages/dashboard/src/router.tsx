import { createBrowserRouter, Navigate, redirect } from 'react-router';
import type { LoaderFunctionArgs, RouteObject } from 'react-router';
import { Failure } from './api/failure.ts';
import { readQuery } from './api/hooks.ts';
import { isSetupRequired, queryClient } from './api/query-client.ts';
import { session } from './api/session.ts';
import { gamePath, isEnvironment, lastPlace, LEFT_GAME } from './shell/game.ts';
import { Problem } from './shell/problem.tsx';
import { Loading } from './shell/loading.tsx';

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

const routes: RouteObject[] = [
  { path: '/', loader: findHome, element: <Loading /> },
  { path: LEFT_GAME, element: <Navigate to="/" replace /> },
  {
    lazy: () => import('./pages/sign-in/sign-in-layout.tsx'),
    children: [
      {
        path: 'login',
        loader: leaveWhenLoggedIn,
        lazy: () => import('./pages/sign-in/login-page.tsx'),
      },
      {
        path: 'register',
        loader: leaveUnlessSetup,
        lazy: () => import('./pages/sign-in/register-page.tsx'),
      },
      { path: 'forgot-password', lazy: () => import('./pages/sign-in/forgot-password-page.tsx') },
      { path: 'reset-password', lazy: () => import('./pages/sign-in/reset-password-page.tsx') },
      { path: 'activate', lazy: () => import('./pages/sign-in/activate-page.tsx') },
      { path: 'verify-email', lazy: () => import('./pages/sign-in/verify-email-page.tsx') },
      { path: 'invitations', lazy: () => import('./pages/sign-in/invitation-page.tsx') },
      { path: 'pending', lazy: () => import('./pages/sign-in/pending-page.tsx') },
    ],
  },
  {
    path: 'games/new',
    loader: requireSession,
    lazy: () => import('./pages/first-run/new-game-page.tsx'),
  },
  { path: 'games/:game_id', loader: loadGame },
  {
    path: 'games/:game_id/:environment',
    loader: loadGame,
    // Filters change the address all the time; access to the game is checked only once.
    shouldRevalidate: ({ currentParams, nextParams }) =>
      currentParams.game_id !== nextParams.game_id ||
      currentParams.environment !== nextParams.environment,
    lazy: () => import('./shell/game-layout.tsx'),
    children: [
      { index: true, loader: () => redirect('overview') },
      { path: 'start', lazy: () => import('./pages/first-run/start-page.tsx') },
      { path: 'overview', lazy: () => import('./pages/overview/overview-page.tsx') },
      { path: 'players', lazy: () => import('./pages/players/explorer/players-page.tsx') },
      { path: 'players/:player_id', lazy: () => import('./pages/players/player-page.tsx') },
      { path: 'events', lazy: () => import('./pages/events/events-page.tsx') },
      { path: 'event-schemas', loader: () => redirect('../events?tab=schemas') },
      { path: 'active-players', lazy: () => import('./pages/analytics/active-players-page.tsx') },
      { path: 'retention', lazy: () => import('./pages/analytics/retention/retention-page.tsx') },
      { path: 'funnels', lazy: () => import('./pages/analytics/funnels/funnels-page.tsx') },
      { path: 'breakdown', lazy: () => import('./pages/analytics/breakdown/breakdown-page.tsx') },
      { path: 'sessions', lazy: () => import('./pages/analytics/sessions-page.tsx') },
      { path: 'segments', lazy: () => import('./pages/analytics/segments/segments-page.tsx') },
      { path: 'achievements', lazy: () => import('./pages/achievements/achievements-page.tsx') },
      { path: 'leaderboards', lazy: () => import('./pages/leaderboards/leaderboards-page.tsx') },
      {
        path: 'leaderboards/:board_name',
        lazy: () => import('./pages/leaderboards/board-page.tsx'),
      },
      {
        path: 'leaderboards/:board_name/players/:player_id',
        lazy: () => import('./pages/leaderboards/ledger-page.tsx'),
      },
      { path: 'config', lazy: () => import('./pages/remote-config/remote-config-page.tsx') },
      { path: 'api-keys', lazy: () => import('./pages/api-keys/api-keys-page.tsx') },
      { path: 'shares', lazy: () => import('./pages/shares/shares-page.tsx') },
      { path: 'player-login', lazy: () => import('./pages/player-login/player-login-page.tsx') },
      {
        path: 'player-verification',
        lazy: () => import('./pages/player-verification/player-verification-page.tsx'),
      },
      { path: 'members', lazy: () => import('./pages/members/members-page.tsx') },
      { path: 'usage', lazy: () => import('./pages/usage/usage-page.tsx') },
      { path: 'audit-log', lazy: () => import('./pages/audit-log/audit-log-page.tsx') },
      { path: 'settings', lazy: () => import('./pages/settings/settings-page.tsx') },
    ],
  },
  {
    loader: requireSession,
    lazy: () => import('./shell/plain-layout.tsx'),
    children: [
      { path: 'account', lazy: () => import('./pages/account/account-page.tsx') },
      { path: 'admin', lazy: () => import('./pages/admin/admin-page.tsx') },
    ],
  },
];

export const router = createBrowserRouter([
  { errorElement: <Problem />, HydrateFallback: Loading, children: routes },
]);
