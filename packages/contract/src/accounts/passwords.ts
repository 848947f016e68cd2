import { answer, errorAnswer } from '../answers.ts';
import { Email, LinkToken } from '../common.ts';
import { operationsIn } from '../operation.ts';
import { t } from '../schema.ts';
import {
  AccountStateError,
  DeviceCookie,
  GivenPassword,
  lockedExample,
  Message,
  NewPassword,
  sessionExample,
  Token,
} from './accounts.ts';

const operation = operationsIn('Dashboard authentication');

export const requestPasswordReset = operation('POST /v1/auth/forgot-password', {
  id: 'requestPasswordReset',
  access: 'anyone',
  summary: 'Ask for a link to reset the password',
  description:
    'Answers every address alike, so that nobody learns who has an account. The link works once, for one hour. An account gets at most 5 such mails a day because one network address asks, 40 because several do, and 5 more for each browser that has logged in to it. A network address may ask 30 times a minute.',
  body: t.Object({ email: Email }),
  example: { email: 'mira@studio.example' },
  answers: {
    200: answer('If there is such an account, it gets an e-mail.', Message, {
      message: 'If this address has an account, an e-mail with a link is on its way',
    }),
  },
});

export const resetPassword = operation('POST /v1/auth/reset-password', {
  id: 'resetPassword',
  access: 'anyone',
  summary: 'Set a new password with the token of a link',
  description:
    'Ends all sessions of the account, knows the browser that asks and forgets all others, voids its other reset links, and clears its failed logins.',
  body: t.Object({ token: LinkToken, password: NewPassword }),
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

export const changePassword = operation('POST /v1/auth/change-password', {
  id: 'changePassword',
  access: 'account',
  summary: 'Change the own password',
  description:
    'Ends all sessions of the account, and answers with the token of a new one. A wrong current password counts as a failed login.',
  body: t.Object({
    current_password: GivenPassword('The password until now.'),
    new_password: NewPassword,
  }),
  example: {
    current_password: 'correct horse battery staple',
    new_password: 'a much better password',
  },
  answers: {
    200: answer('The new password counts.', t.Object({ token: Token }), {
      token: sessionExample.token,
    }),
    400: errorAnswer(
      'A field is invalid, or the current password is wrong.',
      'current_password is wrong',
    ),
    403: answer(
      'The account is not active, or locked by too many wrong passwords.',
      AccountStateError,
      lockedExample,
    ),
  },
});
