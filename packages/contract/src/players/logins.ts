import { answer, errorAnswer } from '../answers.ts';
import { operationsIn } from '../operation.ts';
import { playerLimitReached } from '../limits.ts';
import { t } from '../schema.ts';
import { PlayerId } from './players.ts';

const operation = operationsIn('Player login');

/** Logins of one player, over all providers. */
export const MAX_LOGINS_OF_PLAYER = 10;
/** Open sessions of one player; a further login ends the one that was used least recently. */
export const MAX_SESSIONS_OF_PLAYER = 20;
/** Longest token or ticket of a provider, in characters. */
export const MAX_PROVIDER_TOKEN_LENGTH = 8_192;
/** Days after which an unused refresh token expires. */
export const REFRESH_TOKEN_DAYS = 90;
/** Seconds in which a repeat of a used token is answered like its first use. */
export const REPEAT_SECONDS = 30;
/** Minutes for which a move code is valid. */
export const MOVE_CODE_MINUTES = 10;
/** Move codes of one game and environment that are valid at a time. */
export const MAX_MOVE_CODES = 200;
/** Requests with wrong device secrets a minute, from one network in one game. */
export const MAX_WRONG_SECRETS_PER_MINUTE = 30;
/** Requests with or for move codes a minute: from one network, and with wrong codes in one environment. */
export const MAX_CODES_OF_ADDRESS_PER_MINUTE = 5;
export const MAX_WRONG_CODES_PER_MINUTE = 10;

/** A body is a token and a few short members. */
const MAX_BODY_BYTES = 16 * 1024;

export const ProviderName = t.String(
  '`device`, `custom`, `steam`, or the name of an OpenID Connect issuer that is registered for the game.',
  { minLength: 1, maxLength: 32 },
);

const device = {
  device_id: t.Optional(
    t.String('For `device`: a random id that the game made and keeps.', {
      minLength: 8,
      maxLength: 255,
    }),
  ),
  secret: t.Optional(
    t.String('For `device`: 256 random bits that the game made and keeps, as text.', {
      minLength: 32,
      maxLength: 255,
    }),
  ),
};

const providerToken = (description: string) =>
  t.Optional(t.String(description, { minLength: 1, maxLength: MAX_PROVIDER_TOKEN_LENGTH }));

const credentials = {
  provider: ProviderName,
  ...device,
  token: providerToken(
    'For `custom`: a JWT that the studio’s own server signed, with `sub` (1 to 255 characters) and `exp` (at most 24 hours ahead).',
  ),
  ticket: providerToken('For `steam`: the session ticket, in hexadecimal digits.'),
  id_token: providerToken('For an OpenID Connect issuer: its ID token.'),
  nonce: t.Optional(
    t.String(
      'For an OpenID Connect issuer: the nonce of the request that returned the ID token. The claim `nonce` must be this text, or its SHA-256 in hexadecimal digits or base64url. Required if the token has a nonce.',
      { minLength: 1, maxLength: 255 },
    ),
  ),
};

const Providers = t.Array(t.String(), {
  description: 'The providers with which the player can log in, in alphabetical order.',
});

const LoggedIn = t.Object({
  player_id: PlayerId,
  player_token: t.String('For the header `x-player-token`, an hour long.'),
  expires_at: t.Timestamp('When the player token expires.'),
  refresh_token: t.String(
    `For one \`POST /v1/players/refresh\`, within ${REFRESH_TOKEN_DAYS} days.`,
  ),
  created: t.Boolean('Whether this login made the player or claimed it.'),
  providers: Providers,
});

const exampleLogin = {
  player_id: '0190b7c1-6f2e-4c55-9f39-0d5b7c0e9a11',
  player_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJwbGF5ZXJfaWQiOiIuLi4ifQ.Qm9n',
  expires_at: '2026-03-01T19:24:05.000Z',
  refresh_token: 'ow_refresh_kMZ7nS1t3Q0',
  created: false,
  providers: ['device'],
};

const exampleDevice = {
  provider: 'device',
  device_id: 'b6f1c1c0-2b62-4b43-8c0e-0d1f6c1f2a77',
  secret: 'q3Jr0m4cVt8nYx1LwZ7uKe5hSb2dGf9aPo6iTj3RkQM',
};

const badRequest = errorAnswer('A field is missing or invalid.', 'device_id is required');
const wrongLogin = errorAnswer(
  'The API key is missing or invalid; or the secret, token or ticket is wrong, expired, for another game, or was used before.',
  'Wrong device secret',
);
const unknownProvider = errorAnswer(
  'The game has no such login provider in this environment; or the player of the token was erased.',
  'Login provider not found',
);
const providerAway = errorAnswer(
  'The provider gave no usable answer within 5 seconds; or the server is overloaded.',
  'The login provider cannot be reached, try again later',
);
const missingToken = errorAnswer(
  'The player token is missing, expired or wrong, or its session has ended; or the secret, token or ticket is wrong.',
  'Missing x-player-token header',
);

export const logInPlayer = operation('POST /v1/players/login', {
  id: 'logInPlayer',
  access: 'key',
  max_body_bytes: MAX_BODY_BYTES,
  summary: 'Log a player in',
  description: [
    'Proves who the player is, and gives a player token for the header `x-player-token` of all other calls. Send `provider` with the members of that provider: `device_id` and `secret`, `token`, `ticket`, or `id_token` and `nonce`. Send no `x-player-token` with this call.',
    'The first login with a device, account or Steam user makes a player with a new id. With `player_id` it takes over the player of that id instead, so that a game that used ids of its own keeps its players; that works once for each player, and later logins ignore it. A custom token with a claim `player_id` always logs in as that player, because the studio’s server vouches for it.',
    `A secret, token or ticket is checked as its provider prescribes. Tokens and tickets work once: a repeat is answered only within ${REPEAT_SECONDS} seconds, for clients that have lost an answer. A player has at most ${MAX_LOGINS_OF_PLAYER} logins, and ${MAX_SESSIONS_OF_PLAYER} open sessions: a further session ends the one that was used least recently.`,
  ].join('\n\n'),
  body: t.Object({
    ...credentials,
    player_id: t.Optional(
      t.Name('A player whom nobody has claimed yet; the first login takes over this player.'),
    ),
  }),
  example: exampleDevice,
  answers: {
    200: answer('The player is logged in.', LoggedIn, exampleLogin),
    201: answer('The same, for a new player.', LoggedIn, { ...exampleLogin, created: true }),
    400: badRequest,
    401: wrongLogin,
    403: playerLimitReached,
    404: unknownProvider,
    409: errorAnswer(
      'Somebody has claimed the player already.',
      'This player belongs to somebody who has logged in: leave player_id out to get a new player, or log in as before and link this login',
    ),
    503: providerAway,
  },
});

const RefreshBody = t.Object({
  refresh_token: t.String('The newest refresh token of the session.', {
    minLength: 1,
    maxLength: 2_048,
  }),
});
const exampleRefresh = { refresh_token: exampleLogin.refresh_token };

export const refreshPlayer = operation('POST /v1/players/refresh', {
  id: 'refreshPlayer',
  access: 'key',
  max_body_bytes: MAX_BODY_BYTES,
  summary: 'Get a new player token',
  description: `Gives a new player token and a new refresh token; each refresh token works once. A repeat within ${REPEAT_SECONDS} seconds, by a second tab or after a lost answer, gets the same new refresh token. Any later use of an old refresh token means that somebody has copied it, so it ends the session for both. Send no \`x-player-token\` with this call.`,
  body: RefreshBody,
  example: exampleRefresh,
  answers: {
    200: answer('The player is logged in.', LoggedIn, exampleLogin),
    401: errorAnswer(
      'The API key is missing or invalid; or the refresh token is wrong, expired or used, or its session has ended.',
      'This refresh token was used before. Log in again.',
    ),
  },
});

export const logOutPlayer = operation('POST /v1/players/logout', {
  id: 'logOutPlayer',
  access: 'key',
  max_body_bytes: MAX_BODY_BYTES,
  summary: 'Log a player out',
  description:
    'Ends the session of the refresh token. Player tokens are valid until they expire, an hour at most, but cannot change logins any more. Succeeds also if the session has ended.',
  body: RefreshBody,
  example: exampleRefresh,
  answers: { 204: { description: 'The session has ended.' } },
});

const PlayerTokenHeader = t.Object({
  'x-player-token': t.Optional(t.String('The player token of the player, required.')),
});
const Linked = t.Object({ player_id: PlayerId, providers: Providers });
const exampleLinked = { player_id: exampleLogin.player_id, providers: ['device', 'steam'] };

export const linkPlayerLogin = operation('POST /v1/players/link', {
  id: 'linkPlayerLogin',
  access: 'key',
  max_body_bytes: MAX_BODY_BYTES,
  summary: 'Link another login to a player',
  description: `Adds a login to the player of the player token, with the same members as a login. A player has one login of each provider, but several devices, and at most ${MAX_LOGINS_OF_PLAYER} logins. Linking a login that the player has already changes nothing.`,
  headers: PlayerTokenHeader,
  body: t.Object(credentials),
  example: { ...exampleDevice, device_id: '5d0a7f1e-91c4-4f0f-8b55-3f1f6f0b9c21' },
  answers: {
    200: answer('The player has the login.', Linked, exampleLinked),
    400: badRequest,
    401: missingToken,
    404: unknownProvider,
    409: errorAnswer(
      'The login belongs to another player; or the player has a login of this provider already, or too many.',
      'This login belongs to another player: log in with it to play as that player, or unlink it there first',
    ),
    503: providerAway,
  },
});

export const unlinkPlayerLogin = operation('DELETE /v1/players/link', {
  id: 'unlinkPlayerLogin',
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
  id: 'createMoveCode',
  access: 'key',
  summary: 'Get a code that moves a player to another device',
  description: `Six digits that the player enters on another device within ${MOVE_CODE_MINUTES} minutes. The code works once, and a new code replaces it. An address gets at most ${MAX_CODES_OF_ADDRESS_PER_MINUTE} codes a minute.`,
  headers: PlayerTokenHeader,
  answers: {
    201: answer(
      'The code.',
      t.Object({
        code: t.String('Six digits.'),
        expires_at: t.Timestamp('When the code expires.'),
      }),
      { code: '048213', expires_at: '2026-03-01T18:34:05.000Z' },
    ),
    401: missingToken,
    404: errorAnswer('The player was erased.', 'Player not found'),
    409: errorAnswer(
      'The player has as many logins as a player can have.',
      `A player can have at most ${MAX_LOGINS_OF_PLAYER} logins: remove one first`,
    ),
    503: errorAnswer(
      'Too many players of the game are moving now; or the server is overloaded.',
      'Too many codes are in use, try again in a minute',
    ),
  },
});

export const movePlayer = operation('POST /v1/players/move', {
  id: 'movePlayer',
  access: 'key',
  max_body_bytes: MAX_BODY_BYTES,
  summary: 'Log in on another device by a code',
  description: `Links a new device to the player of the code and logs it in; the player keeps all other logins. Send a \`device_id\` that was never used, with a new \`secret\`: a device that has logged in belongs to another player. Codes are refused after ${MAX_CODES_OF_ADDRESS_PER_MINUTE} requests a minute from one address, and after ${MAX_WRONG_CODES_PER_MINUTE} wrong codes a minute in one environment of a game.`,
  body: t.Object({
    code: t.String('The six digits.', { minLength: 6, maxLength: 6 }),
    provider: t.Literal('device'),
    device_id: device.device_id,
    secret: device.secret,
  }),
  example: { code: '048213', ...exampleDevice },
  answers: {
    200: answer('The device is logged in.', LoggedIn, exampleLogin),
    400: badRequest,
    404: errorAnswer('The code is wrong, expired or used.', 'This code is wrong or has expired'),
    409: errorAnswer(
      'The device belongs to another player, or the player has too many logins.',
      'This device belongs to another player: send a new device_id with a new secret',
    ),
  },
});
