import { wrongPassword } from './login-answers.ts';
import { answer, errorAnswer } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { accountNotFound } from './account.ts';
import { Challenge, Code, exampleChallenge } from './logins.ts';
import { Passkey, passkeyExample } from './passkeys.ts';
import { codesExample, NewRecoveryCodes, passwordBody, passwordExample } from './recovery-codes.ts';

const operation = operationsIn('Dashboard authentication');
const administration = operationsIn('Administration');

export const getSecondFactors = operation('GET /v1/auth/second-factors', {
  access: 'account',
  summary: 'Get the second factors of your account',
  description: 'The answer holds no secrets and no codes.',
  answers: {
    200: answer(
      'The second factors of the account.',
      t.Object({
        totp: t.Nullable(
          t.Object({
            created_at: t.Timestamp('When the authenticator app was set up.'),
            last_used_at: t.Nullable(
              t.Timestamp('When somebody last logged in with it; null: never.'),
            ),
          }),
        ),
        passkeys: t.Array(Passkey, { description: 'In the order in which they were added.' }),
        recovery_codes_left: t.Integer('Recovery codes that are not used.'),
        is_required: t.Boolean('Whether this installation asks the account for a second factor.'),
      }),
      {
        totp: { created_at: '2026-02-01T10:00:00.000Z', last_used_at: '2026-03-01T08:12:45.000Z' },
        passkeys: [passkeyExample],
        recovery_codes_left: 10,
        is_required: false,
      },
    ),
  },
});

export const beginTotp = operation('POST /v1/auth/second-factors/totp', {
  access: 'account',
  summary: 'Begin to set up an authenticator app',
  description:
    'Answers with a new secret for the app. It takes effect when a code of it is confirmed within 30 minutes; an app that was set up before works until then. A wrong password counts as a failed login.',
  body: passwordBody,
  example: passwordExample,
  answers: {
    200: answer(
      'The secret.',
      t.Object({
        challenge: t.String('To send with the code.'),
        secret: t.String('The secret in Base32, to type into the app.'),
        uri: t.String('`otpauth://` address of it, for a QR code.'),
      }),
      {
        challenge: exampleChallenge,
        secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        uri: 'otpauth://totp/Overworld:mira%40studio.example?issuer=Overworld&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
      },
    ),
    ...wrongPassword('password'),
  },
});

export const confirmTotp = operation('POST /v1/auth/second-factors/totp/confirm', {
  access: 'account',
  summary: 'Finish setting up an authenticator app',
  description:
    'Replaces an app that was set up before. The first factor of an account brings its recovery codes and ends its other sessions. The owner gets an e-mail.',
  body: t.Object({ challenge: Challenge, code: Code }),
  example: { challenge: exampleChallenge, code: '287082' },
  answers: {
    200: answer(
      'From now on a login asks for a code.',
      t.Object({ recovery_codes: NewRecoveryCodes }),
      { recovery_codes: codesExample },
    ),
    400: errorAnswer('A field is invalid, or the code is wrong.', 'code is wrong'),
    409: errorAnswer(
      'The challenge is used, has had 5 wrong codes or is older than 30 minutes.',
      'This took too long: begin again',
    ),
  },
});

export const removeTotp = operation('POST /v1/auth/second-factors/totp/remove', {
  access: 'account',
  summary: 'Remove the authenticator app',
  description:
    'Removing the last factor removes the recovery codes as well. The owner gets an e-mail. A wrong password counts as a failed login.',
  body: passwordBody,
  example: passwordExample,
  answers: {
    204: { description: 'It is removed.' },
    404: errorAnswer('No app is set up.', 'No authenticator app is set up'),
    ...wrongPassword('password'),
  },
});

export const resetSecondFactors = administration(
  'POST /v1/admin/users/{account_id}/reset-second-factors',
  {
    access: 'administrator',
    summary: 'Remove the second factors of an account',
    description:
      'For an owner who has lost the phone and the recovery codes: afterwards the password alone is enough. The owner gets an e-mail. Has no effect on an account without second factors.',
    answers: {
      204: { description: 'The account has no second factor.' },
      404: accountNotFound,
      409: errorAnswer(
        'It is your own account.',
        'Remove the second factors of your own account on its page, with your password',
      ),
    },
  },
);
