import { answer, errorAnswer } from '../answers.ts';
import { Email, LinkToken } from '../common.ts';
import { ROLES } from '../operation.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { accountExample, EmailVerified } from './account.ts';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './limits.ts';
import { invalidLink, loggedIn, messageAnswer } from './login-answers.ts';

const operation = operationsIn('Dashboard authentication');

/** The ways in which new accounts become active. */
const ACTIVATION_MODES = ['none', 'email', 'admin'] as const;
export type ActivationMode = (typeof ACTIVATION_MODES)[number];

export const NewPassword = t.String(
  `The new password: ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters of any kind, but none of the most common passwords, nor the e-mail address or the part of it before the @.`,
  { minLength: PASSWORD_MIN_LENGTH, maxLength: PASSWORD_MAX_LENGTH },
);

export const registerAccount = operation('POST /v1/auth/register', {
  access: 'anyone',
  summary: 'Make an account',
  description:
    'Answers with a token at once. Where accounts need activation, dashboard routes answer 403 with code ACCOUNT_PENDING until the account is active. An account that is made with the setup token administers the installation: it is active at once, and can be made even while registration is closed. As long as there is no administrator, the server prints a link with this token when it starts, and `overworld setup-link` prints it again.',
  body: t.Object({
    email: Email,
    password: NewPassword,
    setup_token: t.Optional(
      t.String(
        'Makes the account the administrator of the installation. Works once, while there is no administrator.',
        { minLength: 1, maxLength: 255 },
      ),
    ),
  }),
  example: { email: 'mira@studio.example', password: 'correct horse battery staple' },
  answers: {
    201: loggedIn('The account exists.'),
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
  access: 'anyone',
  summary: 'Activate an account with the token of a link',
  description:
    'Where ACCOUNT_ACTIVATION is `email`, an e-mail with a link is sent at registration. The link works once, for 7 days.',
  body: t.Object({ token: LinkToken }),
  example: { token: 'pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6d' },
  answers: {
    200: messageAnswer('The account is active.', 'The account is active: log in'),
    400: invalidLink,
  },
});

export const resendActivation = operation('POST /v1/auth/resend-activation', {
  access: 'anyone',
  summary: 'Ask for the activation link again',
  description:
    'Gives every address the same answer. The limits are those of password resets. Has no effect unless ACCOUNT_ACTIVATION is `email`.',
  body: t.Object({ email: Email }),
  example: { email: 'mira@studio.example' },
  answers: {
    200: messageAnswer(
      'If an account has this address and waits for activation, it gets an e-mail.',
      'If this address has an account to activate, an e-mail with a link is on its way',
    ),
  },
});

export const sendEmailVerification = operation('POST /v1/auth/send-verification', {
  access: 'account',
  summary: 'Ask for a link that verifies your e-mail address',
  description:
    'Takes no body. Only an account with a verified address can invite others. The link works once, for 7 days. The link of an activation, an invitation or a password reset verifies the address as well. The limits are those of password resets.',
  answers: {
    200: messageAnswer(
      'The e-mail is on its way, if the address is not verified yet.',
      'An e-mail with a link is on its way to mira@studio.example',
    ),
  },
});

export const verifyEmail = operation('POST /v1/auth/verify-email', {
  access: 'anyone',
  summary: 'Verify an e-mail address with the token of a link',
  description: 'The link works in any browser, also where nobody is logged in.',
  body: t.Object({ token: LinkToken }),
  example: { token: 'pZ0vJ3p1mS7o4XQy2cJ8kWm5r1bTnL6d' },
  answers: {
    200: messageAnswer('The address is verified.', 'The address mira@studio.example is verified'),
    400: invalidLink,
  },
});

export const getOwnAccount = operation('GET /v1/auth/me', {
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
        has_password: t.Boolean(
          'False if the account logs in with the identity provider alone, and has never had a password.',
        ),
        created_at: t.Timestamp('When it was registered.'),
        must_set_up_second_factor: t.Boolean(
          'The installation requires a second factor and the account has none: everything but the account itself answers 403 with code SECOND_FACTOR_SETUP_REQUIRED.',
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
        id: accountExample.id,
        email: accountExample.email,
        is_administrator: false,
        email_verified: true,
        has_password: true,
        created_at: accountExample.created_at,
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
  access: 'anyone',
  summary: 'Read how to get an account here',
  description: 'For the login page, before anybody is logged in.',
  answers: {
    200: answer(
      'The settings of this installation.',
      t.Object({
        has_accounts: t.Boolean('False on a new installation.'),
        has_administrator: t.Boolean(
          'Whether there is an administrator; if not, the setup token makes one.',
        ),
        registration_open: t.Boolean('Whether registering works without the setup token.'),
        account_activation: t.Enum(
          ACTIVATION_MODES,
          'How new accounts become active: at once (`none`), by a link (`email`) or by an administrator (`admin`).',
        ),
        sends_mail: t.Boolean(
          'Whether a mail server is configured. If not, mails reach nobody, and links are handed on by other ways.',
        ),
        identity_provider: t.Nullable(
          t.Object({
            name: t.String('Its name, for the button.'),
            only: t.Boolean('Whether passwords log nobody in.'),
          }),
        ),
      }),
      {
        has_accounts: true,
        has_administrator: true,
        registration_open: true,
        account_activation: 'none',
        sends_mail: true,
        identity_provider: { name: 'Studio', only: false },
      },
    ),
  },
});
