import { answer, errorAnswer } from '../answers.ts';
import { PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import {
  invalidField,
  credentials,
  device,
  exampleDevice,
  exampleLogin,
  LoggedIn,
  playerTokenHeader,
  providerAway,
  ProviderName,
  Providers,
  unknownProvider,
} from './login-fields.ts';
import {
  MAX_CODES_OF_ADDRESS_PER_MINUTE,
  MAX_LOGIN_BODY_BYTES,
  MAX_LOGINS_OF_PLAYER,
  MOVE_CODE_LENGTH,
  MOVE_CODE_MINUTES,
} from './login-limits.ts';

const operation = operationsIn('Player login');

const missingToken = errorAnswer(
  'The player token is missing, expired or wrong, or its session has ended; or the secret, token or ticket is wrong.',
  'Missing x-player-token header',
);

const PlayerTokenHeader = playerTokenHeader('required');
const Linked = t.Object({ player_id: PlayerId, providers: Providers });
const exampleMoveCode = 'K7PM-2XQD-9RTA';
const exampleLinked = { player_id: exampleLogin.player_id, providers: ['device', 'steam'] };

export const linkPlayerLogin = operation('POST /v1/players/link', {
  access: 'key',
  max_body_bytes: MAX_LOGIN_BODY_BYTES,
  summary: 'Link another login to a player',
  description: `Adds a login to the player of the player token, with the same members as a login. A player has one login of each provider, but several devices, and at most ${MAX_LOGINS_OF_PLAYER} logins. Linking a login that the player has already changes nothing, also with a token that was used before.`,
  headers: PlayerTokenHeader,
  body: t.Object(credentials),
  example: { ...exampleDevice, device_id: '5d0a7f1e-91c4-4f0f-8b55-3f1f6f0b9c21' },
  answers: {
    200: answer('The player has the login.', Linked, exampleLinked),
    400: invalidField,
    401: missingToken,
    403: errorAnswer(
      'The claim `player_id` of the custom token names another player.',
      'This player token belongs to another player',
    ),
    404: unknownProvider,
    409: errorAnswer(
      'The login belongs to another player; or the player has a login of this provider already, or too many. If both players are one person, the studio can merge them (`POST /v1/players/{player_id}/merge`).',
      'This login belongs to another player: log in with it to play as that player, or unlink it there first',
    ),
    503: providerAway,
  },
});

export const unlinkPlayerLogin = operation('DELETE /v1/players/link', {
  access: 'key',
  summary: 'Remove a login from a player',
  description:
    'Removes the logins of a provider from the player of the player token, ends the sessions that began with them, and takes back an open move code. The last login cannot be removed, because nobody could log in as the player again.',
  headers: PlayerTokenHeader,
  query: t.Object({ provider: ProviderName }),
  answers: {
    200: answer('The logins are removed.', Linked, { ...exampleLinked, providers: ['steam'] }),
    401: missingToken,
    404: errorAnswer(
      'The player has no login of this provider.',
      'The player has no login of this provider',
    ),
    409: errorAnswer(
      'These are the last logins of the player.',
      'This is the last login of the player: link another one first',
    ),
  },
});

export const createMoveCode = operation('POST /v1/players/move-code', {
  access: 'key',
  summary: 'Get a code that moves a player to another device',
  description: `A code of ${MOVE_CODE_LENGTH} letters and digits, in groups of four with dashes between them, that the player enters on another device within ${MOVE_CODE_MINUTES} minutes. It has none of the characters 0, O, 1 and I, which look alike. The code works once, and a new code replaces it. An address gets at most ${MAX_CODES_OF_ADDRESS_PER_MINUTE} codes a minute.`,
  headers: PlayerTokenHeader,
  answers: {
    201: answer(
      'The code.',
      t.Object({
        code: t.String('The code, as the player should see it.'),
        expires_at: t.Timestamp('When the code expires.'),
      }),
      { code: exampleMoveCode, expires_at: '2026-03-01T18:34:05.000Z' },
    ),
    401: missingToken,
    404: errorAnswer('The player was erased.', 'Player not found'),
    409: errorAnswer(
      'The player has as many logins as a player can have.',
      `A player can have at most ${MAX_LOGINS_OF_PLAYER} logins: remove one first`,
    ),
  },
});

export const movePlayer = operation('POST /v1/players/move', {
  access: 'key',
  max_body_bytes: MAX_LOGIN_BODY_BYTES,
  summary: 'Log in on another device by a code',
  description: `Links a new device to the player of the code and logs it in; the player keeps all other logins. Send a \`device_id\` that was never used, with a new \`secret\`: a device that has logged in belongs to another player. Codes are refused after ${MAX_CODES_OF_ADDRESS_PER_MINUTE} requests a minute from one address.`,
  body: t.Object({
    code: t.String('The code, in upper or lower case, with or without dashes and spaces.', {
      minLength: 1,
      maxLength: 64,
    }),
    provider: t.Literal('device'),
    device_id: device.device_id,
    secret: device.secret,
  }),
  example: { code: exampleMoveCode, ...exampleDevice },
  answers: {
    200: answer('The device is logged in.', LoggedIn, exampleLogin),
    400: invalidField,
    404: errorAnswer('The code is wrong, expired or used.', 'This code is wrong or has expired'),
    409: errorAnswer(
      'The device belongs to another player, or the player has too many logins.',
      'This device belongs to another player: send a new device_id with a new secret',
    ),
  },
});
