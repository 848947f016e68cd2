import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Email, errorAnswer, LinkToken, Nullable, Resource, Timestamp, Uuid } from '../common.ts';
import { defineOperation, ROLES } from '../operation.ts';

export const group = 'Dashboard authentication';

export const ACCOUNT_STATUSES = ['active', 'pending', 'locked'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** Modes of account activation. */
export const ACTIVATION_MODES = ['none', 'email', 'admin'] as const;
export type ActivationMode = (typeof ACTIVATION_MODES)[number];

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 1024;

export const NewPassword = Type.String({
  minLength: PASSWORD_MIN_LENGTH,
  maxLength: PASSWORD_MAX_LENGTH,
  description: `The new password: ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters of any kind, but none of the most common passwords, nor the e-mail address or the part of it before the @.`,
});
export const GivenPassword = (description: string) =>
  Type.String({ minLength: 1, maxLength: PASSWORD_MAX_LENGTH, description });
export const Token = Type.String({
  description: 'JWT for `Authorization: Bearer <token>`, valid for 7 days.',
});

const EmailVerified = Type.Boolean({
  description:
    'Whether its owner has used the link of a mail to it, or an administrator says so; true for administrators.',
});

export const Message = Type.Object({
  message: Type.String({ description: 'What happened, in words.' }),
});

export const Session = Type.Object({
  token: Token,
  user: Type.Object({
    id: Uuid('Id of the account.'),
    email: Type.String({ description: 'E-mail address as it was registered.' }),
  }),
  backendVersion: Type.String({ description: 'Release of the server.' }),
});
export const DeviceCookie = Type.Object({
  'Set-Cookie': Type.String({
    description:
      '`overworld_device`: knows the browser at its next login, for a year. It opens nothing by itself.',
  }),
});
export const sessionExample = {
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJnZW5lcmF0aW9uIjoxfQ.c2lnbmF0dXJl',
  user: { id: '5f0c3a52-0f7e-4f0e-9d7b-2f4b8c1f6a11', email: 'mira@studio.example' },
  backendVersion: '0.1.0',
};

/** 403 that says in which state the account is. */
export const AccountStateError = Type.Object({
  error: Type.String({ description: 'What is wrong, in words.' }),
  code: Type.Optional(
    Type.Enum(['ACCOUNT_LOCKED', 'ACCOUNT_PENDING'], {
      description:
        'ACCOUNT_LOCKED: too many failed logins, or locked by an administrator. ACCOUNT_PENDING: not yet activated. Absent where the request comes from a page of another site.',
    }),
  ),
  locked_until: Type.Optional(
    Timestamp('When logging in is possible again, after too many failed logins.'),
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
  403: {
    description: 'The account is not active, or locked by too many wrong passwords.',
    body: AccountStateError,
    example: lockedExample,
  },
};

export const registerAccount = defineOperation({
  id: 'registerAccount',
  method: 'POST',
  path: '/v1/auth/register',
  access: 'anyone',
  group,
  summary: 'Make an account',
  description:
    'Answers with a token at once. Where accounts need activation, the token works when the account is active: until then dashboard routes answer 403 with code ACCOUNT_PENDING. The account that is made with the setup token is the administrator of the installation: it is active at once, and may also be made while registration is closed. The server prints a link with the token at its start while there is no administrator, and `overworld setup-link` prints it again.',
  body: Type.Object({
    email: Email,
    password: NewPassword,
    setup_token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'Makes the account the administrator of the installation. Good once, while there is no administrator.',
      }),
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

export const activateAccount = defineOperation({
  id: 'activateAccount',
  method: 'POST',
  path: '/v1/auth/activate',
  access: 'anyone',
  group,
  summary: 'Activate an account with the token of a link',
  description:
    'Where ACCOUNT_ACTIVATION is `email`, registering sends a link that works once, for 7 days.',
  body: Type.Object({ token: LinkToken }),
  example: { token: 'pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6d' },
  answers: {
    200: {
      description: 'The account is active.',
      body: Message,
      example: { message: 'The account is active: log in' },
    },
    400: errorAnswer(
      'The token is missing, unknown, used or expired.',
      'token is invalid or has expired',
    ),
  },
});

export const resendActivation = defineOperation({
  id: 'resendActivation',
  method: 'POST',
  path: '/v1/auth/resend-activation',
  access: 'anyone',
  group,
  summary: 'Ask for the activation link again',
  description:
    'Answers every address alike. Limited as requests for a password reset are. Without effect unless ACCOUNT_ACTIVATION is `email`.',
  body: Type.Object({ email: Email }),
  example: { email: 'mira@studio.example' },
  answers: {
    200: {
      description: 'If there is such an account and it waits for activation, it gets an e-mail.',
      body: Message,
      example: {
        message: 'If this address has an account to activate, an e-mail with a link is on its way',
      },
    },
  },
});

export const sendEmailVerification = defineOperation({
  id: 'sendEmailVerification',
  method: 'POST',
  path: '/v1/auth/send-verification',
  access: 'account',
  group,
  summary: 'Ask for a link that verifies the own e-mail address',
  description:
    'Takes no body. Inviting others needs a verified address. The link works once, for 7 days. Using the link of an activation, an invitation or a password reset verifies the address as well. Limited as requests for a password reset are.',
  answers: {
    200: {
      description: 'The e-mail is on its way, if the address is not verified yet.',
      body: Message,
      example: { message: 'An e-mail with a link is on its way to mira@studio.example' },
    },
  },
});

export const verifyEmail = defineOperation({
  id: 'verifyEmail',
  method: 'POST',
  path: '/v1/auth/verify-email',
  access: 'anyone',
  group,
  summary: 'Verify an e-mail address with the token of a link',
  description: 'The link works in any browser, whether somebody is logged in or not.',
  body: Type.Object({ token: LinkToken }),
  example: { token: 'pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6d' },
  answers: {
    200: {
      description: 'The address is verified.',
      body: Message,
      example: { message: 'The address mira@studio.example is verified' },
    },
    400: errorAnswer(
      'The token is missing, unknown, used or expired.',
      'token is invalid or has expired',
    ),
  },
});

export const getOwnAccount = defineOperation({
  id: 'getOwnAccount',
  method: 'GET',
  path: '/v1/auth/me',
  access: 'account',
  group,
  summary: 'Who am I?',
  description: 'The account of the token, with the games that it is a member of, by name.',
  answers: {
    200: {
      description: 'The account.',
      body: Type.Object({
        id: Uuid('Id of the account.'),
        email: Type.String({ description: 'E-mail address.' }),
        is_administrator: Type.Boolean({
          description: 'Administers the installation, and sees every game as its owner does.',
        }),
        email_verified: EmailVerified,
        created_at: Timestamp('When it was registered.'),
        must_set_up_second_factor: Type.Boolean({
          description:
            'This installation asks the account for a second factor, and it has none: all but its own account answers 403 with code SECOND_FACTOR_SETUP_REQUIRED.',
        }),
        memberships: Type.Array(
          Type.Object({
            game_id: Uuid('Id of the game.'),
            game_name: Type.String({ description: 'Name of the game.' }),
            role: Type.Enum([...ROLES], { description: 'Role of the account in it.' }),
          }),
        ),
      }),
      example: {
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
    },
  },
});

export const getAuthOptions = defineOperation({
  id: 'getAuthOptions',
  method: 'GET',
  path: '/v1/auth/options',
  access: 'anyone',
  group,
  summary: 'How can one get an account here?',
  description: 'What the login page needs before anybody is logged in.',
  answers: {
    200: {
      description: 'The settings of this installation.',
      body: Type.Object({
        has_accounts: Type.Boolean({ description: 'False on a new installation.' }),
        has_administrator: Type.Boolean({
          description: 'Whether there is an administrator: else the setup token makes one.',
        }),
        registration_open: Type.Boolean({
          description: 'Whether registering works without the setup token.',
        }),
        account_activation: Type.Enum([...ACTIVATION_MODES], {
          description: 'How new accounts become active: at once, by a link, by an administrator.',
        }),
      }),
      example: {
        has_accounts: true,
        has_administrator: true,
        registration_open: true,
        account_activation: 'none',
      },
    },
  },
});

/** An account as administrators see it. */
export const Account = Resource('Account', {
  id: Uuid('Id of the account.'),
  email: Type.String({ description: 'E-mail address.' }),
  status: Type.Enum([...ACCOUNT_STATUSES], {
    description: 'pending: not yet activated; locked: by an administrator.',
  }),
  is_administrator: Type.Boolean({ description: 'Administers the installation.' }),
  has_second_factor: Type.Boolean({ description: 'Logging in takes a second step.' }),
  email_verified: EmailVerified,
  locked_until: Nullable(Timestamp('End of the lock by failed logins; null when there is none.')),
  created_at: Timestamp('When it was registered.'),
  last_login_at: Nullable(Timestamp('When somebody last logged in; null: never.')),
  game_count: Type.Integer({ description: 'Games that it is a member of.' }),
  max_free_games: Nullable(
    Type.Integer({
      description: 'Games on the Free tier that it may own; null: as many as any account.',
    }),
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
