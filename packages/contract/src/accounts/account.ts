import type { Static } from 'typebox';
import { errorAnswer } from '../answers.ts';
import { t } from '../schema.ts';

export const ACCOUNT_STATUSES = ['active', 'pending', 'locked'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export const EmailVerified = t.Boolean(
  'Whether the owner has used a link that was mailed to the address, or an administrator has confirmed it; true for administrators.',
);

/** An account as administrators see it. */
export const Account = t.Resource('Account', {
  id: t.Uuid('Id of the account.'),
  email: t.String('E-mail address.'),
  status: t.Enum(ACCOUNT_STATUSES, 'pending: not yet activated; locked: by an administrator.'),
  is_administrator: t.Boolean('Administers the installation.'),
  has_second_factor: t.Boolean('Logging in takes a second step.'),
  email_verified: EmailVerified,
  locked_until: t.Nullable(
    t.Timestamp('End of the lock by failed logins; null when there is none.'),
  ),
  created_at: t.Timestamp('When it was registered.'),
  last_login_at: t.Nullable(t.Timestamp('When somebody last logged in; null: never.')),
  game_count: t.Integer('Games that it is a member of.'),
  max_free_games: t.Nullable(
    t.Integer('Games on the Free tier that it may own; null: as many as any account.'),
  ),
});
export type Account = Static<typeof Account>;
export const accountExample = {
  id: '5f0c3a52-0f7e-4f0e-9d7b-2f4b8c1f6a11',
  email: 'mira@studio.example',
  status: 'active',
  is_administrator: false,
  has_second_factor: true,
  email_verified: true,
  locked_until: null,
  created_at: '2026-01-05T09:30:00.000Z',
  last_login_at: '2026-03-01T08:12:45.000Z',
  game_count: 2,
  max_free_games: null,
};

/** The 404 answer of an administrator's operation on one account. */
export const accountNotFound = errorAnswer('There is no such account.', 'Account not found');
