import { Type } from 'typebox';
import type { Static } from 'typebox';
import { group } from './accounts.ts';
import { errorAnswer, Nullable, Resource, Timestamp, Uuid } from '../common.ts';
import { defineOperation } from '../operation.ts';

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

const Device = Resource('Device', {
  id: Uuid('Id of the browser.'),
  browser: Type.String({ description: 'What it was, by its own account, at its last login.' }),
  address: Nullable(Type.String({ description: 'Network address of its last login.' })),
  created_at: Timestamp('When it first logged in to this account.'),
  last_used_at: Timestamp('When it last did.'),
  is_current: Type.Boolean({ description: 'Whether this request was made by it.' }),
});
export type Device = Static<typeof Device>;

const { expires_at: _, ...deviceExample } = example;

export const listDevices = defineOperation({
  id: 'listDevices',
  method: 'GET',
  path: '/v1/auth/devices',
  access: 'account',
  group,
  summary: 'Which browsers does my account know?',
  description:
    'Browsers that have logged in, or reset the password, within a year, at most 50. Failed logins elsewhere do not lock them out: they are known by a cookie that is set then, and five wrong passwords from one count for it alone.',
  answers: {
    200: {
      description: 'The browsers, this one first, then by last login.',
      body: Type.Object({ devices: Type.Array(Device) }),
      example: { devices: [deviceExample] },
    },
  },
});

export const forgetDevice = defineOperation({
  id: 'forgetDevice',
  method: 'DELETE',
  path: '/v1/auth/devices/{device_id}',
  access: 'account',
  group,
  summary: 'Forget a browser',
  description: 'It is judged like any other at its next login. Its sessions go on.',
  params: Type.Object({ device_id: Type.String({ description: 'Id of the browser (uuid).' }) }),
  answers: {
    204: { description: 'The browser is forgotten.' },
    404: errorAnswer('The account knows no such browser.', 'Browser not found'),
  },
});
