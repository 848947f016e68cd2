import { Type } from 'typebox';
import type { Static } from 'typebox';
import { group } from './accounts.ts';
import { errorAnswer, Nullable, Resource, Timestamp, Uuid } from './common.ts';
import { defineOperation } from './operation.ts';

const Session = Resource('AccountSession', {
  id: Uuid('Id of the session.'),
  browser: Type.String({
    description:
      'What has logged in, by its own account: `Firefox on Linux`, or `curl` for what is no browser.',
  }),
  address: Nullable(
    Type.String({ description: 'Network address that it was last used from; null: not known.' }),
  ),
  created_at: Timestamp('When it logged in.'),
  last_used_at: Timestamp('When it was last used, to a minute.'),
  expires_at: Timestamp('When its token expires.'),
  is_current: Type.Boolean({ description: 'Whether this request was made by it.' }),
});
export type Session = Static<typeof Session>;

const example = {
  id: '7c1d5b0e-8a43-4d5f-9f0e-2b6a1c3d4e5f',
  browser: 'Firefox on Linux',
  address: '203.0.113.7',
  created_at: '2026-03-01T08:12:45.000Z',
  last_used_at: '2026-03-01T09:30:12.000Z',
  expires_at: '2026-03-08T08:12:45.000Z',
  is_current: true,
};

export const listSessions = defineOperation({
  id: 'listSessions',
  method: 'GET',
  path: '/v1/auth/sessions',
  access: 'account',
  group,
  summary: 'Where am I logged in?',
  description:
    'Sessions of the own account, this one first, then by last use. An account has at most 100: one more login ends the session that was unused for longest.',
  answers: {
    200: {
      description: 'The sessions.',
      body: Type.Object({ sessions: Type.Array(Session) }),
      example: { sessions: [example] },
    },
  },
});

export const endSession = defineOperation({
  id: 'endSession',
  method: 'DELETE',
  path: '/v1/auth/sessions/{session_id}',
  access: 'account',
  group,
  summary: 'Log out one session',
  description: 'Its token is refused from then on, on all servers.',
  params: Type.Object({ session_id: Type.String({ description: 'Id of the session (uuid).' }) }),
  answers: {
    204: { description: 'The session has ended.' },
    404: errorAnswer('The account has no such session.', 'Session not found'),
  },
});

export const endOtherSessions = defineOperation({
  id: 'endOtherSessions',
  method: 'DELETE',
  path: '/v1/auth/sessions',
  access: 'account',
  group,
  summary: 'Log out everywhere else',
  description: 'Ends all sessions of the own account but the one that asks.',
  answers: { 204: { description: 'The other sessions have ended.' } },
});

export const logOut = defineOperation({
  id: 'logOut',
  method: 'POST',
  path: '/v1/auth/logout',
  access: 'account',
  group,
  summary: 'Log out',
  description: 'Ends the session that asks: its token is refused from then on, on all servers.',
  answers: { 204: { description: 'The session has ended.' } },
});
