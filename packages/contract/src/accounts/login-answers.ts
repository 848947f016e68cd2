import { answer, errorAnswer, ErrorWith } from '../answers.ts';
import type { Answer } from '../operation.ts';
import { t } from '../schema.ts';
import { PASSWORD_MAX_LENGTH } from './limits.ts';

export const Token = t.String('JWT for `Authorization: Bearer <token>`, valid for 7 days.');

export const GivenPassword = (description: string) =>
  t.String(description, { minLength: 1, maxLength: PASSWORD_MAX_LENGTH });

/** The members of a body with which the owner of an account confirms a change. */
export const ownerConfirmation = {
  password: t.Optional(
    GivenPassword('The password of the account. Required, unless `confirmation` takes its place.'),
  ),
  confirmation: t.Optional(
    t.String(
      'For accounts that log in with an identity provider: the answer of `/v1/auth/identity/confirm`.',
      { minLength: 1, maxLength: 8192 },
    ),
  ),
};

export const Session = t.Object({
  token: Token,
  user: t.Object({
    id: t.Uuid('Id of the account.'),
    email: t.String('E-mail address as it was registered.'),
  }),
  backendVersion: t.String('Release of the server.'),
});
export const sessionExample = {
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJnZW5lcmF0aW9uIjoxfQ.c2lnbmF0dXJl',
  user: { id: '5f0c3a52-0f7e-4f0e-9d7b-2f4b8c1f6a11', email: 'mira@studio.example' },
  backendVersion: '0.1.0',
};

/** Headers of an answer, with the cookie by which the server recognises the browser. */
export const DeviceCookie = t.Object({
  'Set-Cookie': t.String(
    '`overworld_device`: lets the server recognise the browser at its next login, for a year. The cookie alone logs nobody in.',
  ),
});

export const loggedIn = (description: string) => ({
  ...answer(description, Session, sessionExample),
  headers: DeviceCookie,
});

const Message = t.Object({ message: t.String('What happened, in words.') });

/** The answer to a successful request, for an operation that returns only a message. */
export const messageAnswer = (description: string, message: string) =>
  answer(description, Message, { message });

/** The 400 answer of an operation that takes the token of a link. */
export const invalidLink = errorAnswer(
  'A field is invalid, or the token is unknown, used or expired.',
  'token is invalid or has expired',
);

/** A 403 answer that tells the state of the account. */
export const accountNotUsable = (description: string): Answer =>
  answer(
    description,
    ErrorWith({
      code: t.Optional(
        t.Enum(
          ['ACCOUNT_LOCKED', 'ACCOUNT_PENDING', 'PASSWORDS_REFUSED'],
          'ACCOUNT_LOCKED: after too many failed logins, or by an administrator. ACCOUNT_PENDING: not yet activated. PASSWORDS_REFUSED: the installation takes only logins of its identity provider. Absent where the request comes from a page of another site.',
        ),
      ),
      locked_until: t.Optional(
        t.Timestamp('When logging in is possible again, after too many failed logins.'),
      ),
    }),
    {
      error: 'Too many failed logins: try again in 15 minutes, or reset the password',
      code: 'ACCOUNT_LOCKED',
      locked_until: '2026-03-01T12:15:00.000Z',
    },
  );

/** Answers of an operation that asks an account for its password again. */
export const wrongPassword = (field: string) => ({
  400: errorAnswer(
    `A field is invalid, or \`${field}\` or what takes its place is wrong.`,
    `${field} is wrong`,
  ),
  403: accountNotUsable('The account is not active, or too many wrong passwords have locked it.'),
});
