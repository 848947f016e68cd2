import { wrongPassword } from './login-answers.ts';
import type { Static } from 'typebox';
import { answer, errorAnswer } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { MAX_PASSKEYS } from './limits.ts';
import { Challenge, Credential, exampleChallenge, MAX_PASSKEY_BODY_BYTES } from './logins.ts';
import { codesExample, NewRecoveryCodes, passwordBody, passwordExample } from './recovery-codes.ts';

const operation = operationsIn('Dashboard authentication');

const exampleCredential = {
  id: 'bm9ib2R5',
  rawId: 'bm9ib2R5',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'oA' },
  clientExtensionResults: {},
};

const PASSKEY_NAME = 'A name to tell it from others, such as the name of the device.';
const PasskeyName = t.NewName(PASSKEY_NAME, 100);
export const Passkey = t.Resource('Passkey', {
  id: t.Uuid('Id of the passkey here.'),
  name: t.Name(PASSKEY_NAME),
  created_at: t.Timestamp('When it was added.'),
  last_used_at: t.Nullable(t.Timestamp('When somebody last logged in with it; null: never.')),
});
export type Passkey = Static<typeof Passkey>;
export const passkeyExample = {
  id: '7c1f9f7e-5a52-4c8e-9d5b-3f2b8c1f6a11',
  name: 'Work laptop',
  created_at: '2026-02-01T10:00:00.000Z',
  last_used_at: null,
};

const passkeyNotFound = errorAnswer('The account has no such passkey.', 'Passkey not found');

export const beginPasskey = operation('POST /v1/auth/second-factors/passkeys/options', {
  access: 'account',
  summary: 'Begin to add a passkey',
  description:
    'Answers with the options for `navigator.credentials.create` of the browser. A wrong password counts as a failed login.',
  body: passwordBody,
  example: passwordExample,
  answers: {
    200: answer(
      'The options.',
      t.Object({
        challenge: t.String('To send with the new passkey, within 5 minutes.'),
        options: t.JsonObject(
          'For `PublicKeyCredential.parseCreationOptionsFromJSON` of the browser.',
        ),
      }),
      { challenge: exampleChallenge, options: { challenge: exampleChallenge } },
    ),
    ...wrongPassword('password'),
    409: errorAnswer(
      `Passkeys do not work at the address of the page, or the account has ${MAX_PASSKEYS} of them.`,
      'Passkeys need an address that begins with https, or localhost: open the dashboard there',
    ),
  },
});

export const addPasskey = operation('POST /v1/auth/second-factors/passkeys', {
  access: 'account',
  summary: 'Add a passkey',
  description:
    'The first factor of an account brings its recovery codes and ends its other sessions. The owner gets an e-mail.',
  max_body_bytes: MAX_PASSKEY_BODY_BYTES,
  body: t.Object({
    challenge: Challenge,
    name: PasskeyName,
    credential: Credential('create'),
  }),
  example: { challenge: exampleChallenge, name: 'Work laptop', credential: exampleCredential },
  answers: {
    201: answer(
      'From now on a login asks for a second factor, such as this one.',
      t.Object({ ...Passkey.properties, recovery_codes: NewRecoveryCodes }),
      { ...passkeyExample, recovery_codes: codesExample },
    ),
    400: errorAnswer('A field is invalid.', 'credential is not what was asked for'),
    409: errorAnswer(
      `The challenge is used or older than 5 minutes, the passkey was added before, or the account has ${MAX_PASSKEYS}.`,
      'This took too long: begin again',
    ),
  },
});

export const renamePasskey = operation('PATCH /v1/auth/second-factors/passkeys/{passkey_id}', {
  access: 'account',
  summary: 'Rename a passkey',
  description: 'Only the owner sees the name.',
  body: t.Object({ name: PasskeyName }),
  example: { name: 'Old laptop' },
  answers: {
    200: answer('The passkey.', Passkey, { ...passkeyExample, name: 'Old laptop' }),
    404: passkeyNotFound,
  },
});

export const removePasskey = operation(
  'POST /v1/auth/second-factors/passkeys/{passkey_id}/remove',
  {
    access: 'account',
    summary: 'Remove a passkey',
    description:
      'Removing the last factor removes the recovery codes as well. The owner gets an e-mail. A wrong password counts as a failed login.',
    body: passwordBody,
    example: passwordExample,
    answers: {
      204: { description: 'It is removed.' },
      404: passkeyNotFound,
      ...wrongPassword('password'),
    },
  },
);
