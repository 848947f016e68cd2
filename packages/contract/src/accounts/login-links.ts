import { answer, errorAnswer } from '../answers.ts';
import { LinkToken } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { accountNotUsable, loggedIn } from './login-answers.ts';
import { LoginRefused } from './logins.ts';

const operation = operationsIn('Dashboard authentication');

export const logInByLink = operation('POST /v1/auth/login/link', {
  access: 'anyone',
  summary: 'Log in with the token of a link of the server',
  description:
    'The way back in while the identity provider is away: `overworld login-link <e-mail>`, run on the server, prints a link that works once, for an hour.',
  body: t.Object({ token: LinkToken }),
  example: { token: 'pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6d' },
  answers: {
    200: loggedIn('Logged in.'),
    400: errorAnswer('The token is unknown, used or expired.', 'token is invalid or has expired'),
    401: answer('The second step of the login follows.', LoginRefused, {
      error:
        'This account asks for a second step: send a code of the authenticator app, a passkey or a recovery code',
    }),
    403: accountNotUsable('The account is locked or pending.'),
  },
});
