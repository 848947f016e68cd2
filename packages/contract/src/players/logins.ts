import { answer, errorAnswer } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { limitReached } from '../limits.ts';
import { t } from '../schema.ts';
import {
  invalidField,
  credentials,
  exampleDevice,
  exampleLogin,
  LoggedIn,
  providerAway,
  unknownProvider,
} from './login-fields.ts';
import {
  MAX_LOGIN_BODY_BYTES,
  MAX_LOGINS_OF_PLAYER,
  MAX_SESSIONS_OF_PLAYER,
  REPEAT_SECONDS,
} from './login-limits.ts';

const operation = operationsIn('Player login');

const wrongLogin = errorAnswer(
  'The API key is missing or invalid; or the secret, token or ticket is wrong, expired, for another game, or was used before.',
  'Wrong device secret',
);
export const logInPlayer = operation('POST /v1/players/login', {
  access: 'key',
  max_body_bytes: MAX_LOGIN_BODY_BYTES,
  summary: 'Log a player in',
  description: [
    'Proves who the player is, and gives a player token for the header `x-player-token` of all other calls. Send `provider` with the members of that provider: `device_id` and `secret`, `token`, `ticket`, or `id_token` and `nonce`. Send no `x-player-token` with this call.',
    'The first login with a device, account or Steam user makes a player with a new id. With `player_id` it takes over the player of that id instead, so that a game that used ids of its own keeps its players; that works once for each player, only while the environment allows claims (`PATCH /v1/games/{game_id}/player-verification`), and later logins ignore it. A server key, or a custom token with a claim `player_id`, vouches for the player and always works. The first such login drops the logins of the player for which nobody vouched, with their sessions, and the audit log names them.',
    `A secret, token or ticket is checked as its provider prescribes. Tokens and tickets work once: a repeat is answered 401, also after a lost answer, and the client gets a new one from the provider. A player has at most ${MAX_LOGINS_OF_PLAYER} logins, and ${MAX_SESSIONS_OF_PLAYER} open sessions: a further session ends the one that was used least recently.`,
  ].join('\n\n'),
  body: t.Object({
    ...credentials,
    player_id: t.Optional(
      t.NewName(
        'A player without a login: the first login takes over this player, or makes a player of this id, if the environment allows claims.',
      ),
    ),
  }),
  example: exampleDevice,
  answers: {
    200: answer('The player is logged in.', LoggedIn, exampleLogin),
    201: answer('The same, for a new player.', LoggedIn, { ...exampleLogin, created: true }),
    400: invalidField,
    401: wrongLogin,
    403: limitReached(
      'The login would be new and names a player, and the environment allows no claims; or `player_id` is not the player of the custom token or of `x-player-token`; or the player is new, and the game has as many players as it may have.',
      'players',
    ),
    404: unknownProvider,
    409: errorAnswer(
      'Somebody has claimed the player already, or the player was merged into another one.',
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
  access: 'key',
  max_body_bytes: MAX_LOGIN_BODY_BYTES,
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
  access: 'key',
  max_body_bytes: MAX_LOGIN_BODY_BYTES,
  summary: 'Log a player out',
  description:
    'Ends the session of the refresh token. Player tokens are valid until they expire, an hour at most, but cannot change logins any more. Succeeds also if the session has ended.',
  body: RefreshBody,
  example: exampleRefresh,
  answers: { 204: { description: 'The session has ended.' } },
});
