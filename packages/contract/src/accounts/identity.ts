import { answer, errorAnswer, ErrorWith } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { accountNotUsable, GivenPassword, loggedIn } from './login-answers.ts';
import { LoginRefused } from './logins.ts';

const operation = operationsIn('Dashboard authentication');

const NOT_SET_UP = errorAnswer(
  'The installation has no identity provider.',
  'This installation has no identity provider',
);

/** The answer of the provider, which came with the browser. */
const ProviderAnswer = t.Object({
  code: t.String('`code` of the address to which the provider sent the browser.', {
    minLength: 1,
    maxLength: 4096,
  }),
  state: t.String('`state` of this address.', { minLength: 1, maxLength: 255 }),
  iss: t.Optional(t.String('`iss` of this address, if it has one.', { maxLength: 2048 })),
});

const exampleAnswer = {
  code: 'SplxlOBeZQQYbYS6WxSbIA',
  state: 'b1Xk0m5r1bTnL6dA9sFhGxE0q3pZ0vJ3p1mS7o4XQy2',
};

export const beginIdentityLogin = operation('POST /v1/auth/identity/begin', {
  access: 'anyone',
  summary: "Begin a login with the studio's identity",
  description:
    'Answers with the address of the identity provider, to which the page sends the browser, and with a cookie that binds the login to this browser for 10 minutes. The provider returns the browser to `/login/identity`. The dashboard does this by itself.',
  body: t.Object({
    fresh: t.Optional(
      t.Boolean(
        'Makes the provider ask for the credentials again, as the confirmation of a change needs it.',
      ),
    ),
  }),
  example: {},
  answers: {
    200: {
      ...answer(
        'Send the browser there.',
        t.Object({ url: t.String('Address of the provider.') }),
        { url: 'https://id.studio.example/authorize?response_type=code&client_id=overworld' },
      ),
      headers: t.Object({
        'Set-Cookie': t.String('Binds the login to this browser. No script can read it.'),
      }),
    },
    404: NOT_SET_UP,
  },
});

export const finishIdentityLogin = operation('POST /v1/auth/identity/finish', {
  access: 'anyone',
  summary: "Finish a login with the studio's identity",
  description:
    'Takes what the provider gave to the browser. A person whom the installation does not know yet gets an account, if the provider vouches for an address of a domain that may join. If this address has an account with a password, the account is joined by `/v1/auth/identity/link`. The roles that groups of the provider give are those of this login.',
  body: ProviderAnswer,
  example: exampleAnswer,
  answers: {
    200: loggedIn('Logged in.'),
    401: answer(
      'The login is not valid, or not of this browser, or has taken too long; or, with code SECOND_FACTOR_REQUIRED, the second step at `/v1/auth/login/second-factor` follows.',
      LoginRefused,
      { error: 'This login was begun in another browser, or has taken too long: begin again' },
    ),
    403: accountNotUsable(
      'The account is locked; or the address is not verified, or of a domain that may not join; or the provider leaves out the groups.',
    ),
    404: NOT_SET_UP,
    409: answer(
      'The address has an account with a password, whose owner must confirm; or, without a code, with another identity.',
      ErrorWith({
        code: t.Optional(
          t.Literal('IDENTITY_NOT_LINKED', {
            description: 'Send `challenge` and the password to `/v1/auth/identity/link`.',
          }),
        ),
        challenge: t.Optional(t.String('With the code: proves the identity for 10 minutes.')),
        email: t.Optional(t.String('With the code: address of the account.')),
        email_verified: t.Optional(
          t.Boolean(
            'With the code: false if nobody has ever proved to own the address. Such an account can be joined without its password.',
          ),
        ),
      }),
      {
        error: 'This address has an account: confirm that it is yours',
        code: 'IDENTITY_NOT_LINKED',
        challenge: 'q3pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6dA9sFhGxE0',
        email: 'mira@studio.example',
        email_verified: true,
      },
    ),
  },
});

export const linkIdentity = operation('POST /v1/auth/identity/link', {
  access: 'anyone',
  summary: "Join an account with the studio's identity",
  description:
    'Confirms that the identity of the challenge may log in to the account from now on, and logs in. Send the password of the account; a wrong one counts as a failed login. If nobody has ever proved to own the address, a stranger may have registered it: then `discard_password` joins the account without its password, which ends its password, sessions, known browsers, second factors and access tokens. Its games stay.',
  body: t.Object({
    challenge: t.String('The `challenge` from the answer to the login.', {
      minLength: 1,
      maxLength: 8192,
    }),
    password: t.Optional(GivenPassword('The password of the account.')),
    discard_password: t.Optional(
      t.Boolean('True, in place of the password, for an account whose address was never proved.'),
    ),
  }),
  example: {
    challenge: 'q3pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6dA9sFhGxE0',
    password: 'correct horse battery staple',
  },
  answers: {
    200: loggedIn('Joined and logged in.'),
    401: answer(
      'The password is wrong or the challenge is too old; or, with code SECOND_FACTOR_REQUIRED, the second step follows.',
      LoginRefused,
      { error: 'Invalid email or password' },
    ),
    403: accountNotUsable('The account is locked.'),
    404: NOT_SET_UP,
    409: errorAnswer(
      'The account has another identity of this provider, or the identity another account; or the address was proved meanwhile.',
      'This account has another identity already',
    ),
  },
});

export const confirmIdentity = operation('POST /v1/auth/identity/confirm', {
  access: 'account',
  summary: 'Confirm a change by a fresh login at the identity provider',
  description:
    'In place of the password of an account. Takes what the provider gave to the browser after a login that was begun with `fresh`, and answers with a confirmation that takes the place of the password for 5 minutes, in this session.',
  body: ProviderAnswer,
  example: exampleAnswer,
  answers: {
    200: answer(
      'The identity is that of the account.',
      t.Object({ confirmation: t.String('To send in place of `password`.') }),
      { confirmation: 'q3pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6dA9sFhGxE0' },
    ),
    400: errorAnswer(
      'A field is invalid; or the login at the provider is not fresh, or that of somebody else.',
      'This is not the identity of your account',
    ),
    404: NOT_SET_UP,
  },
});
