import { answer, errorAnswer, LINKS_ARE_MAILED } from '../answers.ts';
import { Email, LinkToken, ShownLink } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { accountNotFound } from './account.ts';
import { NewPassword } from './accounts.ts';
import {
  MAX_LINKS_OF_REQUESTER,
  MAX_LINKS_OF_NETWORKS,
  MAX_MAIL_REQUESTS_PER_MINUTE,
} from './limits.ts';
import {
  DeviceCookie,
  GivenPassword,
  invalidLink,
  messageAnswer,
  sessionExample,
  Token,
  wrongPassword,
} from './login-answers.ts';

const operation = operationsIn('Dashboard authentication');
const administration = operationsIn('Administration');

export const requestPasswordReset = operation('POST /v1/auth/forgot-password', {
  access: 'anyone',
  summary: 'Ask for a link to reset the password',
  description: `Gives every address the same answer, so that nobody learns which addresses have accounts. The link works once, for one hour. An account gets at most ${MAX_LINKS_OF_REQUESTER} such mails a day that one network address has asked for, ${MAX_LINKS_OF_NETWORKS} over all addresses, and ${MAX_LINKS_OF_REQUESTER} more for each browser that has logged in to it. A network address may ask ${MAX_MAIL_REQUESTS_PER_MINUTE} times a minute.`,
  body: t.Object({ email: Email }),
  example: { email: 'mira@studio.example' },
  answers: {
    200: messageAnswer(
      'If an account has this address, it gets an e-mail.',
      'If this address has an account, an e-mail with a link is on its way',
    ),
  },
});

export const resetPassword = operation('POST /v1/auth/reset-password', {
  access: 'anyone',
  summary: 'Set a new password with the token of a link',
  description:
    'Ends all sessions of the account, forgets all browsers but the one that sends this, ends its other reset links, and sets the count of failed logins to zero. If nobody had verified the address before, the second factors and the access tokens of the account are removed, because a stranger may have made them.',
  body: t.Object({ token: LinkToken, password: NewPassword }),
  example: { token: 'pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6d', password: 'a much better password' },
  answers: {
    200: {
      ...messageAnswer(
        'The password is changed.',
        'The password was changed: log in with the new one',
      ),
      headers: DeviceCookie,
    },
    400: invalidLink,
  },
});

export const changePassword = operation('POST /v1/auth/change-password', {
  access: 'account',
  summary: 'Change your password',
  description:
    'Ends all sessions of the account, and answers with the token of a new one. A wrong current password counts as a failed login.',
  body: t.Object({
    current_password: GivenPassword('The present password.'),
    new_password: NewPassword,
  }),
  example: {
    current_password: 'correct horse battery staple',
    new_password: 'a much better password',
  },
  answers: {
    200: answer('The password is changed.', t.Object({ token: Token }), {
      token: sessionExample.token,
    }),
    ...wrongPassword('current_password'),
  },
});

export const makePasswordResetLink = administration(
  'POST /v1/admin/users/{account_id}/password-reset-link',
  {
    access: 'administrator',
    summary: 'Make a link to reset the password of an account',
    description:
      'For installations that send no mail: make sure that it is the owner who asks, and hand the link to nobody else. It is shown only here, works once, for one hour, and ends the earlier reset links of the account. A second factor of the account stays. Where a mail server is configured, the owner asks for the link with `POST /v1/auth/forgot-password`.',
    answers: {
      200: answer('The link.', ShownLink, {
        link: 'https://overworld.example/reset-password#token=pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6d',
        expires_at: '2026-03-01T10:10:00.000Z',
      }),
      404: accountNotFound,
      409: errorAnswer('A mail server is configured.', LINKS_ARE_MAILED),
    },
  },
);
