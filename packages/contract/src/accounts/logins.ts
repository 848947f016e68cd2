import { answer, errorAnswer, ErrorWith } from '../answers.ts';
import { Email } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import {
  LOCK_DURATION_MINUTES,
  MAX_FAILED_LOGINS_PER_MINUTE,
  MAX_LOGIN_FAILURES,
} from './limits.ts';
import { accountNotUsable, GivenPassword, loggedIn } from './login-answers.ts';

const operation = operationsIn('Dashboard authentication');

/** Ways to do the second step of a login. */
const SECOND_FACTOR_METHODS = ['totp', 'passkey', 'recovery_code'] as const;
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number];

/** The maximum size of a body with the answer of a passkey, in bytes. Usually such a body has about 2 KB. */
export const MAX_PASSKEY_BODY_BYTES = 128 * 1024;

export const Challenge = t.String(
  'The `challenge` from the answer that asked for this. It works once.',
  { minLength: 1, maxLength: 255 },
);
export const exampleChallenge = 'q3pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6dA9sFhGxE0';
export const Code = t.String(
  'The six digits that the authenticator app shows. Spaces do not count.',
  { minLength: 1, maxLength: 32 },
);

export const Credential = (method: string) =>
  t.Object(
    {
      id: t.String('Id of the passkey.', { maxLength: 2048 }),
      rawId: t.String('The same.', { maxLength: 2048 }),
      type: t.Literal('public-key'),
      response: t.JsonObject('Answer of the authenticator.'),
      clientExtensionResults: t.JsonObject('Results of extensions.'),
    },
    {
      additionalProperties: true,
      description: `Result of \`navigator.credentials.${method}\` in the browser, written by \`toJSON()\`.`,
    },
  );

/** The 401 answer of a login. If it has a `code`, the password was right and a second step follows. */
export const LoginRefused = ErrorWith({
  code: t.Optional(
    t.Literal('SECOND_FACTOR_REQUIRED', {
      description: 'The password is right, and the account has a second factor.',
    }),
  ),
  methods: t.Optional(
    t.Array(t.Enum(SECOND_FACTOR_METHODS), {
      description: 'Ways to do the second step.',
    }),
  ),
  challenge: t.Optional(
    t.String('To send to `/v1/auth/login/second-factor`, within 5 minutes; it works once.'),
  ),
  passkey_options: t.Optional(
    t.JsonObject(
      'With the method `passkey`: for `PublicKeyCredential.parseRequestOptionsFromJSON` of the browser.',
    ),
  ),
});

export const logIn = operation('POST /v1/auth/login', {
  access: 'anyone',
  summary: 'Log in',
  description: `${MAX_LOGIN_FAILURES} failed logins in a row lock the address for ${LOCK_DURATION_MINUTES} minutes, whether it has an account or not; a successful login or a password reset sets the count to zero. A browser that has logged in to the account before is recognised by the cookie \`overworld_device\` and has a count of its own: other browsers cannot lock it out, and it cannot lock them out. A network address with more than ${MAX_FAILED_LOGINS_PER_MINUTE} failed logins in a minute gets 429 until the minute is over.`,
  body: t.Object({ email: Email, password: GivenPassword('The password.') }),
  example: { email: 'mira@studio.example', password: 'correct horse battery staple' },
  answers: {
    200: loggedIn('Logged in.'),
    401: answer(
      'The credentials are wrong; or, with code SECOND_FACTOR_REQUIRED, the password is right and the second step at `/v1/auth/login/second-factor` follows.',
      LoginRefused,
      { error: 'Invalid email or password' },
    ),
    403: accountNotUsable('Locked, or the password is right but the account is not active.'),
  },
});

/** The 401 answer of the second step of a login. */
const SecondStepError = ErrorWith({
  code: t.Enum(
    ['SECOND_FACTOR_WRONG', 'SECOND_FACTOR_EXPIRED', 'SECOND_FACTOR_LOCKED'],
    'WRONG: try again. EXPIRED: the challenge is used, has had 5 wrong answers or is older than 5 minutes; log in again. LOCKED: too many wrong codes of the authenticator app; a passkey or a recovery code still works.',
  ),
  locked_until: t.Optional(t.Timestamp('When codes of the app count again.')),
});

export const logInWithSecondFactor = operation('POST /v1/auth/login/second-factor', {
  access: 'anyone',
  summary: 'Do the second step of a login',
  description:
    'For an account with a second factor: send the `challenge` from the answer to the login, and one of `code`, `recovery_code` and `passkey`. A code of the app works once, for about a minute; a recovery code works once. A challenge ends after 5 wrong answers. After 5 wrong codes of the app in a row, over all challenges, the server refuses codes of the app for 15 minutes, and twice as long after each further wrong code, up to a day.',
  max_body_bytes: MAX_PASSKEY_BODY_BYTES,
  body: t.Object({
    challenge: Challenge,
    code: t.Optional(Code),
    recovery_code: t.Optional(
      t.String('One of the recovery codes, in upper or lower case, with or without dashes.', {
        minLength: 1,
        maxLength: 64,
      }),
    ),
    passkey: t.Optional(Credential('get')),
  }),
  example: { challenge: exampleChallenge, code: '287082' },
  answers: {
    200: loggedIn('Logged in.'),
    401: answer('The second step failed; `code` says what to do.', SecondStepError, {
      error: 'This code is wrong or was used already: wait for the next one of the app',
      code: 'SECOND_FACTOR_WRONG',
    }),
    403: errorAnswer(
      'The account was locked in the meantime; `code` says how.',
      'This account is locked',
    ),
    409: errorAnswer(
      "After a login with the studio's identity: the account or the identity was joined otherwise in the meantime.",
      'This account has another identity already: an administrator can make the server forget it',
    ),
  },
});
