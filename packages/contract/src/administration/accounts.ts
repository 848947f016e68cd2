import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Account, ACCOUNT_STATUSES, accountExample } from '../accounts/accounts.ts';
import {
  errorAnswer,
  GameId,
  merge,
  PageOf,
  PageQuery,
  Resource,
  Timestamp,
  Uuid,
} from '../common.ts';
import { LimitOverrides } from '../limits.ts';
import { defineOperation } from '../operation.ts';
import { MAX_FREE_GAMES, TIER_NAMES } from '../tiers.ts';

const group = 'Administration';

const Search = Type.Optional(
  Type.String({ maxLength: 255, description: 'Text that it must hold, in upper or lower case.' }),
);
const AccountParams = Type.Object({
  account_id: Type.String({ description: 'Id of the account (uuid).' }),
});
const accountNotFound = errorAnswer('There is no such account.', 'Account not found');

/** A game as administrators see it. */
export const AdministeredGame = Resource('AdministeredGame', {
  id: Uuid('Id of the game.'),
  name: Type.String({ description: 'Name of the game.' }),
  tier: Type.Enum(TIER_NAMES, { description: 'Billing tier.' }),
  event_quota: Type.Integer({ description: 'Events a month, by its tier.' }),
  events_this_month: Type.Integer({
    description: 'Events counted against the quota in this calendar month (UTC).',
  }),
  member_count: Type.Integer({ description: 'Accounts that are members of it.' }),
  limit_overrides: LimitOverrides,
  created_at: Timestamp('When it was made.'),
});
export type AdministeredGame = Static<typeof AdministeredGame>;
const gameExample = {
  id: '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42',
  name: 'Sky Harbour',
  tier: 'indie',
  event_quota: 1_000_000,
  events_this_month: 184_223,
  member_count: 4,
  limit_overrides: { players: 2_000_000 },
  created_at: '2026-01-05T09:31:00.000Z',
};

export const listUsers = defineOperation({
  id: 'listUsers',
  method: 'GET',
  path: '/v1/admin/users',
  access: 'administrator',
  group,
  summary: 'List accounts',
  description: 'All accounts of the installation, by e-mail address.',
  query: merge(
    PageQuery,
    Type.Object({
      search: Search,
      status: Type.Optional(
        Type.Enum([...ACCOUNT_STATUSES], { description: 'Only accounts in this state.' }),
      ),
    }),
  ),
  answers: {
    200: {
      description: 'A page of accounts.',
      body: PageOf('users', Account),
      example: { users: [accountExample], next_cursor: null },
    },
  },
});

export const activateUser = defineOperation({
  id: 'activateUser',
  method: 'POST',
  path: '/v1/admin/users/{account_id}/activate',
  access: 'administrator',
  group,
  summary: 'Activate an account',
  description:
    'Activates a pending account, and tells its owner by e-mail. One that is active stays so.',
  params: AccountParams,
  answers: {
    200: { description: 'The active account.', body: Account, example: accountExample },
    404: accountNotFound,
    409: errorAnswer('The account is locked.', 'This account is locked: unlock it'),
  },
});

export const verifyUserEmail = defineOperation({
  id: 'verifyUserEmail',
  method: 'POST',
  path: '/v1/admin/users/{account_id}/verify-email',
  access: 'administrator',
  group,
  summary: 'Say that the e-mail address of an account is its own',
  description: 'For installations that send no mail: the account may invite others then.',
  params: AccountParams,
  answers: {
    200: { description: 'The account.', body: Account, example: accountExample },
    404: accountNotFound,
  },
});

export const lockUser = defineOperation({
  id: 'lockUser',
  method: 'POST',
  path: '/v1/admin/users/{account_id}/lock',
  access: 'administrator',
  group,
  summary: 'Lock an account',
  description:
    'At once, its tokens answer 403 with code ACCOUNT_LOCKED, and so does its login. It stays locked until it is unlocked.',
  params: AccountParams,
  answers: {
    200: {
      description: 'The locked account.',
      body: Account,
      example: { ...accountExample, status: 'locked' },
    },
    404: accountNotFound,
    409: errorAnswer(
      'It is the own account, or the last active administrator.',
      'You cannot lock your own account',
    ),
  },
});

export const unlockUser = defineOperation({
  id: 'unlockUser',
  method: 'POST',
  path: '/v1/admin/users/{account_id}/unlock',
  access: 'administrator',
  group,
  summary: 'Unlock an account',
  description:
    'Ends the lock by an administrator and the one by failed logins. An account that is pending, or was when it was locked, is pending afterwards.',
  params: AccountParams,
  answers: {
    200: { description: 'The account.', body: Account, example: accountExample },
    404: accountNotFound,
  },
});

export const listAllGames = defineOperation({
  id: 'listAllGames',
  method: 'GET',
  path: '/v1/admin/games',
  access: 'administrator',
  group,
  summary: 'List all games',
  description: 'All games of the installation, by name. `search` also finds a game by its id.',
  query: merge(PageQuery, Type.Object({ search: Search })),
  answers: {
    200: {
      description: 'A page of games.',
      body: PageOf('games', AdministeredGame),
      example: { games: [gameExample], next_cursor: null },
    },
  },
});

export const setGameTier = defineOperation({
  id: 'setGameTier',
  method: 'PATCH',
  path: '/v1/admin/games/{game_id}',
  access: 'administrator',
  group,
  summary: 'Set the billing tier of a game',
  description: 'The quota of the new tier counts at once, with what was used in this month.',
  params: Type.Object({ game_id: GameId }),
  body: Type.Object({ tier: Type.Enum(TIER_NAMES, { description: 'The new tier.' }) }),
  example: { tier: 'indie' },
  answers: {
    200: { description: 'The game.', body: AdministeredGame, example: gameExample },
    404: errorAnswer('There is no such game.', 'Game not found'),
  },
});

export const setGameLimits = defineOperation({
  id: 'setGameLimits',
  method: 'PUT',
  path: '/v1/admin/games/{game_id}/limits',
  access: 'administrator',
  group,
  summary: 'Set what a game may store',
  description:
    'Sets the limits that are not those of its tier; what is left out is, also after another tier is set. They count within a second. Below what the game has, nothing is deleted, and nothing can be added.',
  params: Type.Object({ game_id: GameId }),
  body: LimitOverrides,
  example: { players: 2_000_000 },
  answers: {
    200: { description: 'The game.', body: AdministeredGame, example: gameExample },
    404: errorAnswer('There is no such game.', 'Game not found'),
  },
});

export const setUserLimits = defineOperation({
  id: 'setUserLimits',
  method: 'PUT',
  path: '/v1/admin/users/{account_id}/limits',
  access: 'administrator',
  group,
  summary: 'Set how many games an account may own',
  description: `Games on the Free tier alone count: ${MAX_FREE_GAMES}, unless it is set here. Administrators may own any number.`,
  params: AccountParams,
  body: Type.Object({
    free_games: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: `Games on the Free tier; left out: ${MAX_FREE_GAMES}, as for other accounts.`,
      }),
    ),
  }),
  example: { free_games: 50 },
  answers: {
    200: {
      description: 'The account.',
      body: Account,
      example: { ...accountExample, max_free_games: 50 },
    },
    404: accountNotFound,
  },
});

export const getInstallationStats = defineOperation({
  id: 'getInstallationStats',
  method: 'GET',
  path: '/v1/admin/stats',
  access: 'administrator',
  group,
  summary: 'Size and health of the installation',
  description: 'Counts over all games. Above 100,000, `player_count` is an estimate.',
  answers: {
    200: {
      description: 'The numbers of this moment.',
      body: Type.Object({
        account_count: Type.Integer({ description: 'Accounts in any state.' }),
        game_count: Type.Integer({ description: 'Games.' }),
        player_count: Type.Integer({ description: 'Players, in both environments.' }),
        events_this_month: Type.Integer({
          description: 'Events counted against quotas in this calendar month (UTC).',
        }),
        database_bytes: Type.Integer({ description: 'Size of the database on disk.' }),
        postgres_version: Type.String({ description: 'Release of PostgreSQL, such as `18.1`.' }),
        inbox_requests: Type.Integer({
          description: 'Requests whose events do not show in timelines and analytics yet.',
        }),
        inbox_age_seconds: Type.Number({
          description: 'Age of the oldest of them; 0 when none waits.',
        }),
        quarantined_requests: Type.Integer({
          description: 'Requests whose events could not be read and were put aside.',
        }),
        failing_mails: Type.Integer({
          description: 'E-mails that were tried more than once and are not sent yet.',
        }),
        open_to_strangers: Type.Boolean({
          description:
            'Whether whoever reaches the server can make an active account, and more than its own machine reaches it.',
        }),
        version: Type.String({ description: 'Release of the server.' }),
        uptime_seconds: Type.Integer({ description: 'Since this server process started.' }),
      }),
      example: {
        account_count: 12,
        game_count: 3,
        player_count: 48_211,
        events_this_month: 184_223,
        database_bytes: 912_261_120,
        postgres_version: '18.1',
        inbox_requests: 2,
        inbox_age_seconds: 0.04,
        quarantined_requests: 0,
        failing_mails: 0,
        open_to_strangers: false,
        version: '0.1.0',
        uptime_seconds: 86_400,
      },
    },
  },
});
