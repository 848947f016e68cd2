import { Type } from 'typebox';
import type { Static } from 'typebox';
import { group, wrongPassword } from './accounts.ts';
import { errorAnswer, JsonObject, Nullable, Resource, Timestamp, Uuid } from '../common.ts';
import { Challenge, Credential, exampleChallenge, MAX_PASSKEY_BODY_BYTES } from './logins.ts';
import { defineOperation } from '../operation.ts';
import { codesExample, NewRecoveryCodes, passwordBody, passwordExample } from './recovery-codes.ts';

/** Of one account. */
export const MAX_PASSKEYS = 20;

const exampleCredential = {
  id: 'bm9ib2R5',
  rawId: 'bm9ib2R5',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'oA' },
  clientExtensionResults: {},
};

const PasskeyName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'A name to tell it from others, such as that of the device.',
});
export const Passkey = Resource('Passkey', {
  id: Uuid('Id of the passkey here.'),
  name: PasskeyName,
  created_at: Timestamp('When it was added.'),
  last_used_at: Nullable(Timestamp('When somebody last logged in with it; null: never.')),
});
export type Passkey = Static<typeof Passkey>;
export const passkeyExample = {
  id: '7c1f9f7e-5a52-4c8e-9d5b-3f2b8c1f6a11',
  name: 'Work laptop',
  created_at: '2026-02-01T10:00:00.000Z',
  last_used_at: null,
};

const PasskeyParams = Type.Object({
  passkey_id: Type.String({ description: 'Id of the passkey (uuid).' }),
});
const passkeyNotFound = errorAnswer('The account has no such passkey.', 'Passkey not found');

export const beginPasskey = defineOperation({
  id: 'beginPasskey',
  method: 'POST',
  path: '/v1/auth/second-factors/passkeys/options',
  access: 'account',
  group,
  summary: 'Begin to add a passkey',
  description:
    'Answers with the options for `navigator.credentials.create` of the browser. A wrong password counts as a failed login.',
  body: passwordBody,
  example: passwordExample,
  answers: {
    200: {
      description: 'The options.',
      body: Type.Object({
        challenge: Type.String({ description: 'To send with the new passkey, within 5 minutes.' }),
        options: JsonObject(
          'For `PublicKeyCredential.parseCreationOptionsFromJSON` of the browser.',
        ),
      }),
      example: { challenge: exampleChallenge, options: { challenge: exampleChallenge } },
    },
    ...wrongPassword,
    409: errorAnswer(
      `The page was not opened at an address that passkeys work at, or the account has ${MAX_PASSKEYS} of them.`,
      'Passkeys need an address that begins with https, or localhost: open the dashboard there',
    ),
  },
});

export const addPasskey = defineOperation({
  id: 'addPasskey',
  method: 'POST',
  path: '/v1/auth/second-factors/passkeys',
  access: 'account',
  group,
  summary: 'Add a passkey',
  description:
    'With the first factor of an account its recovery codes are made, and its other sessions end. The owner gets an e-mail.',
  max_body_bytes: MAX_PASSKEY_BODY_BYTES,
  body: Type.Object({
    challenge: Challenge,
    name: PasskeyName,
    credential: Credential('create'),
  }),
  example: { challenge: exampleChallenge, name: 'Work laptop', credential: exampleCredential },
  answers: {
    201: {
      description: 'Logging in asks for a second factor from now on, and this is one.',
      body: Type.Object({ ...Passkey.properties, recovery_codes: NewRecoveryCodes }),
      example: { ...passkeyExample, recovery_codes: codesExample },
    },
    400: errorAnswer('A field is invalid.', 'credential is not what was asked for'),
    409: errorAnswer(
      `The challenge is used or older than 5 minutes, the passkey is known already, or the account has ${MAX_PASSKEYS}.`,
      'This took too long: begin again',
    ),
  },
});

export const renamePasskey = defineOperation({
  id: 'renamePasskey',
  method: 'PATCH',
  path: '/v1/auth/second-factors/passkeys/{passkey_id}',
  access: 'account',
  group,
  summary: 'Rename a passkey',
  description: 'The name is for its owner alone.',
  params: PasskeyParams,
  body: Type.Object({ name: PasskeyName }),
  example: { name: 'Old laptop' },
  answers: {
    200: {
      description: 'The passkey.',
      body: Passkey,
      example: { ...passkeyExample, name: 'Old laptop' },
    },
    404: passkeyNotFound,
  },
});

export const removePasskey = defineOperation({
  id: 'removePasskey',
  method: 'POST',
  path: '/v1/auth/second-factors/passkeys/{passkey_id}/remove',
  access: 'account',
  group,
  summary: 'Remove a passkey',
  description:
    'Recovery codes go with the last factor. The owner gets an e-mail. A wrong password counts as a failed login.',
  params: PasskeyParams,
  body: passwordBody,
  example: passwordExample,
  answers: {
    204: { description: 'It is removed.' },
    404: passkeyNotFound,
    ...wrongPassword,
  },
});
