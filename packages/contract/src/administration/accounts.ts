import type { Static } from 'typebox';
import { Account, ACCOUNT_STATUSES, accountExample, accountNotFound } from '../accounts/account.ts';
import { answer, badRequest, errorAnswer, pageAnswer } from '../answers.ts';
import { Email, PageQuery } from '../common.ts';
import { LimitOverrides } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { MAX_FREE_GAMES, TIER_NAMES } from '../tiers.ts';

const operation = operationsIn('Administration');

const Search = t.Optional(
  t.String('Text to search for, in upper or lower case.', { maxLength: 255 }),
);

const gameNotFound = errorAnswer('There is no such game.', 'Game not found');

/** A game as administrators see it. */
export const AdministeredGame = t.Resource('AdministeredGame', {
  id: t.Uuid('Id of the game.'),
  name: t.String('Name of the game.'),
  tier: t.Enum(TIER_NAMES, 'Billing tier.'),
  event_quota: t.Integer('Events a month, by its tier.'),
  events_this_month: t.Integer('Events counted against the quota in this calendar month (UTC).'),
  member_count: t.Integer('Accounts that are members of it.'),
  limit_overrides: LimitOverrides,
  created_at: t.Timestamp('When it was made.'),
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

export const listUsers = operation('GET /v1/admin/users', {
  access: 'administrator',
  summary: 'List accounts',
  description: 'All accounts of the installation, by e-mail address.',
  query: t.Object({
    ...PageQuery.properties,
    search: Search,
    status: t.Optional(t.Enum(ACCOUNT_STATUSES, 'Only accounts in this state.')),
  }),
  answers: {
    200: pageAnswer('A page of accounts.', 'users', Account, accountExample),
  },
});

export const createUser = operation('POST /v1/admin/users', {
  access: 'administrator',
  summary: 'Make an account',
  description:
    'Makes an active account, also while registration is closed. Its owner sets a password by a link, which works once, for one hour: it is mailed to the address, or shown only here if no mail server is configured. A later link comes from `POST /v1/auth/forgot-password` or from `POST /v1/admin/users/{account_id}/password-reset-link`.',
  body: t.Object({ email: Email }),
  example: { email: 'noor@studio.example' },
  answers: {
    201: answer(
      'The account. `link` is null when it was mailed.',
      t.Object({
        ...Account.properties,
        link: t.Nullable(t.String('The link to set a password.')),
        link_expires_at: t.Nullable(t.Timestamp('When the link ends.')),
      }),
      { ...accountExample, last_login_at: null, link: null, link_expires_at: null },
    ),
    400: badRequest('email must be a valid e-mail address'),
    409: errorAnswer(
      'The address has an account.',
      'An account with this e-mail address already exists',
    ),
  },
});

export const sendTestMail = operation('POST /v1/admin/test-mail', {
  access: 'administrator',
  summary: 'Send a test mail to yourself',
  description:
    'Sends a mail to the address of your account at once, and answers when the mail server has accepted or refused it, after 20 seconds at most.',
  answers: {
    200: answer(
      'The outcome.',
      t.Object({
        email: t.String('The address.'),
        problem: t.Nullable(
          t.String(
            'Why the mail was not sent, in the words of the mail server; null: it was sent.',
          ),
        ),
      }),
      { email: 'mira@studio.example', problem: null },
    ),
    409: errorAnswer('No mail server is configured.', 'No mail is sent: SMTP_URL is not set'),
  },
});

export const activateUser = operation('POST /v1/admin/users/{account_id}/activate', {
  access: 'administrator',
  summary: 'Activate an account',
  description:
    'Activates a pending account and tells its owner by e-mail. An active account stays as it is.',
  answers: {
    200: answer('The active account.', Account, accountExample),
    404: accountNotFound,
    409: errorAnswer('The account is locked.', 'This account is locked: unlock it'),
  },
});

export const verifyUserEmail = operation('POST /v1/admin/users/{account_id}/verify-email', {
  access: 'administrator',
  summary: 'Confirm the e-mail address of an account',
  description: 'For installations that send no mail: afterwards the account can invite others.',
  answers: {
    200: answer('The account.', Account, accountExample),
    404: accountNotFound,
  },
});

export const lockUser = operation('POST /v1/admin/users/{account_id}/lock', {
  access: 'administrator',
  summary: 'Lock an account',
  description:
    'From then on its tokens and its login answer 403 with code ACCOUNT_LOCKED, until the account is unlocked. Its access tokens are revoked for good.',
  answers: {
    200: answer('The locked account.', Account, { ...accountExample, status: 'locked' }),
    404: accountNotFound,
    409: errorAnswer(
      'It is your own account, or the last active administrator.',
      'You cannot lock your own account',
    ),
  },
});

export const unlockUser = operation('POST /v1/admin/users/{account_id}/unlock', {
  access: 'administrator',
  summary: 'Unlock an account',
  description:
    'Ends a lock by an administrator as well as a lock by failed logins. An account that was pending when it was locked is pending again.',
  answers: {
    200: answer('The account.', Account, accountExample),
    404: accountNotFound,
  },
});

export const listAllGames = operation('GET /v1/admin/games', {
  access: 'administrator',
  summary: 'List all games',
  description: 'All games of the installation, by name. `search` also finds a game by its id.',
  query: t.Object({ ...PageQuery.properties, search: Search }),
  answers: {
    200: pageAnswer('A page of games.', 'games', AdministeredGame, gameExample),
  },
});

export const setGameTier = operation('PATCH /v1/admin/games/{game_id}', {
  access: 'administrator',
  summary: 'Set the billing tier of a game',
  description:
    'The quota of the new tier takes effect at once. Events that were already sent this month count against it.',
  body: t.Object({ tier: t.Enum(TIER_NAMES, 'The new tier.') }),
  example: { tier: 'indie' },
  answers: {
    200: answer('The game.', AdministeredGame, gameExample),
    404: gameNotFound,
  },
});

export const setGameLimits = operation('PUT /v1/admin/games/{game_id}/limits', {
  access: 'administrator',
  summary: 'Set the limits of a game',
  description:
    'Sets the limits that differ from the tier of the game. Limits that are left out follow the tier, also when it changes. `key_requests_per_minute` raises the request rate of all keys of the game; it follows no tier. The limits take effect within a second. A limit below the present use deletes nothing, but nothing can be added. Ledgers of leaderboards lose their oldest submits instead.',
  body: LimitOverrides,
  example: { players: 2_000_000 },
  answers: {
    200: answer('The game.', AdministeredGame, gameExample),
    400: badRequest(
      'key_requests_per_minute must be at most 1000: the RATE_LIMIT_CEILING of this installation allows no more',
    ),
    404: gameNotFound,
  },
});

export const setUserLimits = operation('PUT /v1/admin/users/{account_id}/limits', {
  access: 'administrator',
  summary: 'Set the number of games that an account may own',
  description: `Limits games on the Free tier only. Without this setting an account may own ${MAX_FREE_GAMES}. Administrators may own any number.`,
  body: t.Object({
    free_games: t.Optional(
      t.Integer(`Games on the Free tier; ${MAX_FREE_GAMES} when left out.`, {
        minimum: 0,
        maximum: 1_000_000,
      }),
    ),
  }),
  example: { free_games: 50 },
  answers: {
    200: answer('The account.', Account, { ...accountExample, max_free_games: 50 }),
    404: accountNotFound,
  },
});

export const getInstallationStats = operation('GET /v1/admin/stats', {
  access: 'administrator',
  summary: 'Size and health of the installation',
  description:
    'Counts over all games. Above 100,000, `player_count` is an estimate. The numbers of requests are those of the server that answers.',
  answers: {
    200: answer(
      'The present numbers.',
      t.Object({
        account_count: t.Integer('Accounts in any state.'),
        game_count: t.Integer('Games.'),
        player_count: t.Integer('Players, in both environments.'),
        events_this_month: t.Integer('Events counted against quotas in this calendar month (UTC).'),
        database_bytes: t.Integer('Size of the database on disk.'),
        postgres_version: t.String('Release of PostgreSQL, such as `18.1`.'),
        inbox_requests: t.Integer(
          'Requests whose events do not show in timelines and analytics yet.',
        ),
        inbox_age_seconds: t.Number('Age of the oldest of them; 0 when none waits.'),
        quarantined_requests: t.Integer(
          'Requests whose events could not be read and are in quarantine.',
        ),
        failing_mails: t.Integer('E-mails that were tried more than once and are not sent yet.'),
        sends_mail: t.Boolean('Whether a mail server is configured.'),
        open_to_strangers: t.Boolean(
          'Whether anybody who reaches the server can make an active account, and other machines than its own reach it.',
        ),
        requests_per_second: t.Number(
          'Requests answered in the last minute by this server, a second.',
        ),
        request_p99_seconds: t.Nullable(
          t.Number(
            'Time within which 99 % of these were answered, as the upper bound of a bucket of `overworld_request_duration_seconds`; null: none was answered, or it took longer than 10 seconds.',
          ),
        ),
        failed_requests: t.Integer('Requests of the last minute that were answered 500 or more.'),
        disk_free_bytes: t.Nullable(
          t.Integer(
            'Free space of the disk with the bundled PostgreSQL; null: PostgreSQL is external.',
          ),
        ),
        disk_bytes: t.Nullable(t.Integer('Size of this disk; null: PostgreSQL is external.')),
        last_backup_at: t.Nullable(
          t.Timestamp(
            'When the server, or `overworld backup` without a file, last made a whole backup in `BACKUP_TO`; null: never.',
          ),
        ),
        last_file_backup_at: t.Nullable(
          t.Timestamp(
            'When `overworld backup` with the name of a file, or `-` for standard output, last wrote the whole installation; null: never. Backups by other tools are not seen.',
          ),
        ),
        backups: t.Nullable(
          t.Object(
            {
              place: t.String('The folder or the bucket, as in `BACKUP_TO`.'),
              every_seconds: t.Integer('The interval, as in `BACKUP_EVERY`.'),
              keep: t.Integer('The number of backups that are kept, as in `BACKUP_KEEP`.'),
              are_late: t.Boolean('Whether the last backup is older than two intervals.'),
              problem: t.Nullable(
                t.String('Why the last try failed; null: it succeeded, or there was none.'),
              ),
            },
            { description: 'The backups that the server makes; null: it makes none.' },
          ),
        ),
        version: t.String('Release of the server.'),
        uptime_seconds: t.Integer('Since this server process started.'),
      }),
      {
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
        sends_mail: true,
        open_to_strangers: false,
        requests_per_second: 212.4,
        request_p99_seconds: 0.025,
        failed_requests: 0,
        disk_free_bytes: 41_231_147_008,
        disk_bytes: 64_424_509_440,
        last_backup_at: '2026-03-01T03:30:12.000Z',
        last_file_backup_at: null,
        backups: {
          place: 's3://backups/overworld',
          every_seconds: 86_400,
          keep: 14,
          are_late: false,
          problem: null,
        },
        version: '0.1.0',
        uptime_seconds: 86_400,
      },
    ),
  },
});
