import { TOKEN_ROLES } from '../operation.ts';
import { t } from '../schema.ts';

export const TokenRoleName = t.Enum(
  TOKEN_ROLES,
  '`reports` reads reports on all players, and dashboards, without the parameters `players` and `split_by`; the others are the roles of members. If the member has a lower role in a game, that one counts there.',
);

/** The members that the list of the maker and the list of a game have in common. */
export const AccessTokenMembers = {
  id: t.Uuid('Id of the token, which is not the token itself.'),
  name: t.Name('Its purpose, in words.'),
  role: TokenRoleName,
  prefix: t.String('The first characters of the token: enough to recognise it, too few to use it.'),
  created_at: t.Timestamp('When it was made.'),
  expires_at: t.Timestamp('When it stops or stopped working.'),
  last_used_at: t.Nullable(t.Timestamp('When it was last used, to a minute; null: never.')),
};

export const exampleToken = {
  id: '4be0d7a4-51c3-4b0e-9d2b-6a8f1f0c3d57',
  name: 'Nightly build',
  role: 'developer' as const,
  prefix: 'ow_pat_x7Kp2q',
  created_at: '2026-03-01T09:05:00.000Z',
  expires_at: '2026-05-30T09:05:00.000Z',
  last_used_at: '2026-03-14T15:09:26.535Z',
};
