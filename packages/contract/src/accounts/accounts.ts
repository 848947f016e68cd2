import type { Static } from 'typebox';
import { answer, errorAnswer } from '../answers.ts';
import { Email, LinkToken } from '../common.ts';
import { operationsIn, ROLES } from '../operation.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Dashboard authentication');

export const ACCOUNT_STATUSES = ['active', 'pending', 'locked'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** Modes of account activation. */
export const ACTIVATION_MODES = ['none', 'email', 'admin'] as const;
export type ActivationMode = (typeof ACTIVATION_MODES)[number];

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 1024;

export const NewPassword = t.String(
  `The new password: ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters of any kind, but none of the most common passwords, nor the e-mail address or the part of it before the @.`,
  { minLength: PASSWORD_MIN_LENGTH, maxLength: PASSWORD_MAX_LENGTH },
);
export const GivenPassword = (description: string) =>
  t.String(description, { minLength: 1, maxLength: PASSWORD_MAX_LENGTH });
export const Token = t.String('JWT for `Authorization: Bearer <token>`, valid for 7 days.');

const EmailVerified = t.Boolean(
  'Whether its owner has used the link of a mail to it, or an administrator says so; true for administrators.',
);

export const Message = t.Object({
  message: t.String('What happened, in words.'),
});

export const Session = t.Object({
  token: Token,
  user: t.Object({
    id: t.Uuid('Id of the account.'),
    email: t.String('E-mail address as it was registered.'),
  }),
  backendVersion: t.String('Release of the server.'),
});
export const DeviceCookie = t.Object({
  'Set-Cookie': t.String(
    '`overworld_device`: knows the browser at its next login, for a year. It opens nothing by itself.',
  ),
});
export const sessionExample = {
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJnZW5lcmF0aW9uIjoxfQ.c2lnbmF0dXJl',
  user: { id: '5f0c3a52-0f7e-4f0e-9d7b-2f4b8c1f6a11', email: 'mira@studio.example' },
  backendVersion: '0.1.0',
};

/** 403 that says in which state the account is. */
export const AccountStateError = t.Object({
  error: t.String('What is wrong, in words.'),
  code: t.Optional(
    t.Enum(
      ['ACCOUNT_LOCKED', 'ACCOUNT_PENDING'],
      'ACCOUNT_LOCKED: too many failed logins, or locked by an administrator. ACCOUNT_PENDING: not yet activated. Absent where the request comes from a page of another site.',
    ),
  ),
  locked_until: t.Optional(
    t.Timestamp('When logging in is possible again, after too many failed logins.'),
  ),
});
export const lockedExample = {
  error: 'Too many failed logins: try again in 15 minutes, or reset the password',
  code: 'ACCOUNT_LOCKED',
  locked_until: '2026-03-01T12:15:00.000Z',
};

/** Answers of operations that ask for the own password again. */
export const wrongPassword = {
  400: errorAnswer('A field is invalid, or the password is wrong.', 'password is wrong'),
  403: answer(
    'The account is not active, or locked by too many wrong passwords.',
    AccountStateError,
    lockedExample,
  ),
};

export const registerAccount = operation('POST /v1/auth/register', {
  id: 'registerAccount',
  access: 'anyone',
  summary: 'Make an account',
  description:
    'Answers with a token at once. Where accounts need activation, the token works when the account is active: until then dashboard routes answer 403 with code ACCOUNT_PENDING. The account that is made with the setup token is the administrator of the installation: it is active at once, and may also be made while registration is closed. The server prints a link with the token at its start while there is no administrator, and `overworld setup-link` prints it again.',
  body: t.Object({
    email: Email,
    password: NewPassword,
    setup_token: t.Optional(
      t.String(
        'Makes the account the administrator of the installation. Good once, while there is no administrator.',
        { minLength: 1, maxLength: 255 },
      ),
    ),
  }),
  example: { email: 'mira@studio.example', password: 'correct horse battery staple' },
  answers: {
    201: {
      description: 'The account exists.',
      headers: DeviceCookie,
      body: Session,
      example: sessionExample,
    },
    403: errorAnswer(
      'Registration is closed on this installation, or the setup token is wrong or used up. Nothing is changed.',
      'Registration is closed: ask an administrator of this installation for an account',
    ),
    409: errorAnswer(
      'An account with this e-mail address exists.',
      'An account with this e-mail address already exists',
    ),
  },
});

export const activateAccount = operation('POST /v1/auth/activate', {
  id: 'activateAccount',
  access: 'anyone',
  summary: 'Activate an account with the token of a link',
  description:
    'Where ACCOUNT_ACTIVATION is `email`, registering sends a link that works once, for 7 days.',
  body: t.Object({ token: LinkToken }),
  example: { token: 'pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6d' },
  answers: {
    200: answer('The account is active.', Message, { message: 'The account is active: log in' }),
    400: errorAnswer(
      'The token is missing, unknown, used or expired.',
      'token is invalid or has expired',
    ),
  },
});

export const resendActivation = operation('POST /v1/auth/resend-activation', {
  id: 'resendActivation',
  access: 'anyone',
  summary: 'Ask for the activation link again',
  description:
    'Answers every address alike. Limited as requests for a password reset are. Without effect unless ACCOUNT_ACTIVATION is `email`.',
  body: t.Object({ email: Email }),
  example: { email: 'mira@studio.example' },
  answers: {
    200: answer(
      'If there is such an account and it waits for activation, it gets an e-mail.',
      Message,
      {
        message: 'If this address has an account to activate, an e-mail with a link is on its way',
      },
    ),
  },
});

export const sendEmailVerification = operation('POST /v1/auth/send-verification', {
  id: 'sendEmailVerification',
  access: 'account',
  summary: 'Ask for a link that verifies the own e-mail address',
  description:
    'Takes no body. Inviting others needs a verified address. The link works once, for 7 days. Using the link of an activation, an invitation or a password reset verifies the address as well. Limited as requests for a password reset are.',
  answers: {
    200: answer('The e-mail is on its way, if the address is not verified yet.', Message, {
      message: 'An e-mail with a link is on its way to mira@studio.example',
    }),
  },
});

export const verifyEmail = operation('POST /v1/auth/verify-email', {
  id: 'verifyEmail',
  access: 'anyone',
  summary: 'Verify an e-mail address with the token of a link',
  description: 'The link works in any browser, whether somebody is logged in or not.',
  body: t.Object({ token: LinkToken }),
  example: { token: 'pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6d' },
  answers: {
    200: answer('The address is verified.', Message, {
      message: 'The address mira@studio.example is verified',
    }),
    400: errorAnswer(
      'The token is missing, unknown, used or expired.',
      'token is invalid or has expired',
    ),
  },
});

export const getOwnAccount = operation('GET /v1/auth/me', {
  id: 'getOwnAccount',
  access: 'account',
  summary: 'Who am I?',
  description: 'The account of the token, with the games that it is a member of, by name.',
  answers: {
    200: answer(
      'The account.',
      t.Object({
        id: t.Uuid('Id of the account.'),
        email: t.String('E-mail address.'),
        is_administrator: t.Boolean(
          'Administers the installation, and sees every game as its owner does.',
        ),
        email_verified: EmailVerified,
        created_at: t.Timestamp('When it was registered.'),
        must_set_up_second_factor: t.Boolean(
          'This installation asks the account for a second factor, and it has none: all but its own account answers 403 with code SECOND_FACTOR_SETUP_REQUIRED.',
        ),
        memberships: t.Array(
          t.Object({
            game_id: t.Uuid('Id of the game.'),
            game_name: t.String('Name of the game.'),
            role: t.Enum(ROLES, 'Role of the account in it.'),
          }),
        ),
      }),
      {
        id: '5f0c3a52-0f7e-4f0e-9d7b-2f4b8c1f6a11',
        email: 'mira@studio.example',
        is_administrator: false,
        email_verified: true,
        created_at: '2026-01-05T09:30:00.000Z',
        must_set_up_second_factor: false,
        memberships: [
          {
            game_id: '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42',
            game_name: 'Sky Harbour',
            role: 'developer',
          },
        ],
      },
    ),
  },
});

export const getAuthOptions = operation('GET /v1/auth/options', {
  id: 'getAuthOptions',
  access: 'anyone',
  summary: 'How can one get an account here?',
  description: 'What the login page needs before anybody is logged in.',
  answers: {
    200: answer(
      'The settings of this installation.',
      t.Object({
        has_accounts: t.Boolean('False on a new installation.'),
        has_administrator: t.Boolean(
          'Whether there is an administrator: else the setup token makes one.',
        ),
        registration_open: t.Boolean('Whether registering works without the setup token.'),
        account_activation: t.Enum(
          ACTIVATION_MODES,
          'How new accounts become active: at once, by a link, by an administrator.',
        ),
      }),
      {
        has_accounts: true,
        has_administrator: true,
        registration_open: true,
        account_activation: 'none',
      },
    ),
  },
});

/** An account as administrators see it. */
export const Account = t.Resource('Account', {
  id: t.Uuid('Id of the account.'),
  email: t.String('E-mail address.'),
  status: t.Enum(ACCOUNT_STATUSES, 'pending: not yet activated; locked: by an administrator.'),
  is_administrator: t.Boolean('Administers the installation.'),
  has_second_factor: t.Boolean('Logging in takes a second step.'),
  email_verified: EmailVerified,
  locked_until: t.Nullable(
    t.Timestamp('End of the lock by failed logins; null when there is none.'),
  ),
  created_at: t.Timestamp('When it was registered.'),
  last_login_at: t.Nullable(t.Timestamp('When somebody last logged in; null: never.')),
  game_count: t.Integer('Games that it is a member of.'),
  max_free_games: t.Nullable(
    t.Integer('Games on the Free tier that it may own; null: as many as any account.'),
  ),
});
export type Account = Static<typeof Account>;
export const accountExample = {
  id: '5f0c3a52-0f7e-4f0e-9d7b-2f4b8c1f6a11',
  email: 'mira@studio.example',
  status: 'active',
  is_administrator: false,
  has_second_factor: true,
  email_verified: true,
  locked_until: null,
  created_at: '2026-01-05T09:30:00.000Z',
  last_login_at: '2026-03-01T08:12:45.000Z',
  game_count: 2,
  max_free_games: null,
};
