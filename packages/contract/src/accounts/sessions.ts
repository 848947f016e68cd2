import type { Static } from 'typebox';
import { answer, errorAnswer } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { MAX_DEVICES, MAX_LOGIN_FAILURES, MAX_SESSIONS } from './limits.ts';

const operation = operationsIn('Dashboard authentication');

const Session = t.Resource('AccountSession', {
  id: t.Uuid('Id of the session.'),
  browser: t.String(
    'Name of the client that logged in, as it states it: `Firefox on Linux`, or `curl` for a tool.',
  ),
  address: t.Nullable(t.String('Network address that it was last used from; null: not known.')),
  created_at: t.Timestamp('When it logged in.'),
  last_used_at: t.Timestamp('When it was last used, to a minute.'),
  expires_at: t.Timestamp('When its token expires.'),
  is_current: t.Boolean('Whether this request comes from it.'),
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

export const listSessions = operation('GET /v1/auth/sessions', {
  access: 'account',
  summary: 'List where you are logged in',
  description: `The sessions of your account, this one first, then by last use. An account has at most ${MAX_SESSIONS}: one more login ends the session that was unused for longest.`,
  answers: {
    200: answer('The sessions.', t.Object({ sessions: t.Array(Session) }), { sessions: [example] }),
  },
});

export const endSession = operation('DELETE /v1/auth/sessions/{session_id}', {
  access: 'account',
  summary: 'Log out one session',
  description: 'From then on every server refuses its token.',
  answers: {
    204: { description: 'The session has ended.' },
    404: errorAnswer('The account has no such session.', 'Session not found'),
  },
});

export const endOtherSessions = operation('DELETE /v1/auth/sessions', {
  access: 'account',
  summary: 'Log out everywhere else',
  description: 'Ends all sessions of your account but the one that sends this.',
  answers: { 204: { description: 'The other sessions have ended.' } },
});

export const logOut = operation('POST /v1/auth/logout', {
  access: 'account',
  summary: 'Log out',
  description: 'Ends the session that sends this: from then on every server refuses its token.',
  answers: { 204: { description: 'The session has ended.' } },
});

const Device = t.Resource('Device', {
  id: t.Uuid('Id of the browser.'),
  browser: t.String('Name of the browser at its last login, as it states it.'),
  address: t.Nullable(t.String('Network address of its last login.')),
  created_at: t.Timestamp('When it first logged in to this account.'),
  last_used_at: t.Timestamp('When it last logged in to this account.'),
  is_current: t.Boolean('Whether this request comes from it.'),
});
export type Device = Static<typeof Device>;

const { expires_at: _, ...deviceExample } = example;

export const listDevices = operation('GET /v1/auth/devices', {
  access: 'account',
  summary: 'List the browsers that your account remembers',
  description: `Browsers that have logged in or reset the password within a year, at most ${MAX_DEVICES}. They are recognised by a cookie that is set then. Failed logins elsewhere do not lock them out, and ${MAX_LOGIN_FAILURES} wrong passwords from one of them lock only that one.`,
  answers: {
    200: answer(
      'The browsers, this one first, then by last login.',
      t.Object({ devices: t.Array(Device) }),
      { devices: [deviceExample] },
    ),
  },
});

export const forgetDevice = operation('DELETE /v1/auth/devices/{device_id}', {
  access: 'account',
  summary: 'Forget a browser',
  description: 'At its next login it is treated like an unknown browser. Its sessions continue.',
  answers: {
    204: { description: 'The browser is forgotten.' },
    404: errorAnswer('The account remembers no such browser.', 'Browser not found'),
  },
});
