import { Type } from 'typebox';
import { group, wrongPassword } from './accounts.ts';
import { errorAnswer, Nullable, Timestamp } from '../common.ts';
import { Challenge, Code, exampleChallenge } from './logins.ts';
import { defineOperation } from '../operation.ts';
import { Passkey, passkeyExample } from './passkeys.ts';
import { codesExample, NewRecoveryCodes, passwordBody, passwordExample } from './recovery-codes.ts';

export const getSecondFactors = defineOperation({
  id: 'getSecondFactors',
  method: 'GET',
  path: '/v1/auth/second-factors',
  access: 'account',
  group,
  summary: 'Get the second factors of the own account',
  description: 'Secrets and codes are not part of it.',
  answers: {
    200: {
      description: 'What the account can take the second step with.',
      body: Type.Object({
        totp: Nullable(
          Type.Object({
            created_at: Timestamp('When the authenticator app was set up.'),
            last_used_at: Nullable(Timestamp('When somebody last logged in with it; null: never.')),
          }),
        ),
        passkeys: Type.Array(Passkey, { description: 'In the order in which they were added.' }),
        recovery_codes_left: Type.Integer({ description: 'Recovery codes that are not used.' }),
        is_required: Type.Boolean({
          description: 'Whether this installation asks the account for a second factor.',
        }),
      }),
      example: {
        totp: { created_at: '2026-02-01T10:00:00.000Z', last_used_at: '2026-03-01T08:12:45.000Z' },
        passkeys: [passkeyExample],
        recovery_codes_left: 10,
        is_required: false,
      },
    },
  },
});

export const beginTotp = defineOperation({
  id: 'beginTotp',
  method: 'POST',
  path: '/v1/auth/second-factors/totp',
  access: 'account',
  group,
  summary: 'Begin to set up an authenticator app',
  description:
    'Answers with a new secret for the app. It counts when a code of it is confirmed, within 30 minutes; an app that was set up before works until then. A wrong password counts as a failed login.',
  body: passwordBody,
  example: passwordExample,
  answers: {
    200: {
      description: 'The secret.',
      body: Type.Object({
        challenge: Type.String({ description: 'To send with the code.' }),
        secret: Type.String({ description: 'The secret in Base32, to type into the app.' }),
        uri: Type.String({ description: '`otpauth://` address of it, for a QR code.' }),
      }),
      example: {
        challenge: exampleChallenge,
        secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        uri: 'otpauth://totp/Overworld:mira%40studio.example?issuer=Overworld&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
      },
    },
    ...wrongPassword,
  },
});

export const confirmTotp = defineOperation({
  id: 'confirmTotp',
  method: 'POST',
  path: '/v1/auth/second-factors/totp/confirm',
  access: 'account',
  group,
  summary: 'Finish setting up an authenticator app',
  description:
    'Replaces an app that was set up before. With the first factor of an account its recovery codes are made, and its other sessions end. The owner gets an e-mail.',
  body: Type.Object({ challenge: Challenge, code: Code }),
  example: { challenge: exampleChallenge, code: '287082' },
  answers: {
    200: {
      description: 'Logging in asks for a code from now on.',
      body: Type.Object({ recovery_codes: NewRecoveryCodes }),
      example: { recovery_codes: codesExample },
    },
    400: errorAnswer('A field is invalid, or the code is wrong.', 'code is wrong'),
    409: errorAnswer(
      'The challenge is used, five times tried or older than 30 minutes.',
      'This took too long: begin again',
    ),
  },
});

export const removeTotp = defineOperation({
  id: 'removeTotp',
  method: 'POST',
  path: '/v1/auth/second-factors/totp/remove',
  access: 'account',
  group,
  summary: 'Remove the authenticator app',
  description:
    'Recovery codes go with the last factor. The owner gets an e-mail. A wrong password counts as a failed login.',
  body: passwordBody,
  example: passwordExample,
  answers: {
    204: { description: 'It is removed.' },
    404: errorAnswer('No app is set up.', 'No authenticator app is set up'),
    ...wrongPassword,
  },
});

export const resetSecondFactors = defineOperation({
  id: 'resetSecondFactors',
  method: 'POST',
  path: '/v1/admin/users/{account_id}/reset-second-factors',
  access: 'administrator',
  group: 'Administration',
  summary: 'Remove the second factors of an account',
  description:
    'For somebody who has lost the phone and the recovery codes: the password alone is enough afterwards. The owner gets an e-mail. Without effect on an account that has none.',
  params: Type.Object({ account_id: Type.String({ description: 'Id of the account (uuid).' }) }),
  answers: {
    204: { description: 'The account has no second factor.' },
    404: errorAnswer('There is no such account.', 'Account not found'),
    409: errorAnswer(
      'It is the own account.',
      'Remove the second factors of your own account on its page, with your password',
    ),
  },
});
