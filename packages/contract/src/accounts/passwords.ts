import { Type } from 'typebox';
import {
  AccountStateError,
  DeviceCookie,
  GivenPassword,
  group,
  lockedExample,
  Message,
  NewPassword,
  sessionExample,
  Token,
} from './accounts.ts';
import { Email, errorAnswer, LinkToken } from '../common.ts';
import { defineOperation } from '../operation.ts';

export const requestPasswordReset = defineOperation({
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/v1/auth/forgot-password',
  access: 'anyone',
  group,
  summary: 'Ask for a link to reset the password',
  description:
    'Answers every address alike, so that nobody learns who has an account. The link works once, for one hour. An account gets at most 5 such mails a day because one network address asks, 40 because several do, and 5 more for each browser that has logged in to it. A network address may ask 30 times a minute.',
  body: Type.Object({ email: Email }),
  example: { email: 'mira@studio.example' },
  answers: {
    200: {
      description: 'If there is such an account, it gets an e-mail.',
      body: Message,
      example: {
        message: 'If this address has an account, an e-mail with a link is on its way',
      },
    },
  },
});

export const resetPassword = defineOperation({
  id: 'resetPassword',
  method: 'POST',
  path: '/v1/auth/reset-password',
  access: 'anyone',
  group,
  summary: 'Set a new password with the token of a link',
  description:
    'Ends all sessions of the account, knows the browser that asks and forgets all others, voids its other reset links, and clears its failed logins.',
  body: Type.Object({ token: LinkToken, password: NewPassword }),
  example: { token: 'pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6d', password: 'a much better password' },
  answers: {
    200: {
      description: 'The new password counts.',
      headers: DeviceCookie,
      body: Message,
      example: { message: 'The password was changed: log in with the new one' },
    },
    400: errorAnswer(
      'A field is invalid, or the token is unknown, used or expired.',
      'token is invalid or has expired',
    ),
  },
});

export const changePassword = defineOperation({
  id: 'changePassword',
  method: 'POST',
  path: '/v1/auth/change-password',
  access: 'account',
  group,
  summary: 'Change the own password',
  description:
    'Ends all sessions of the account, and answers with the token of a new one. A wrong current password counts as a failed login.',
  body: Type.Object({
    current_password: GivenPassword('The password until now.'),
    new_password: NewPassword,
  }),
  example: {
    current_password: 'correct horse battery staple',
    new_password: 'a much better password',
  },
  answers: {
    200: {
      description: 'The new password counts.',
      body: Type.Object({ token: Token }),
      example: { token: sessionExample.token },
    },
    400: errorAnswer(
      'A field is invalid, or the current password is wrong.',
      'current_password is wrong',
    ),
    403: {
      description: 'The account is not active, or locked by too many wrong passwords.',
      body: AccountStateError,
      example: lockedExample,
    },
  },
});
