import { badRequest, errorAnswer } from '../answers.ts';
import { PlayerId } from '../common.ts';
import { t } from '../schema.ts';
import { MAX_PROVIDER_TOKEN_LENGTH, REFRESH_TOKEN_DAYS } from './login-limits.ts';

export const ProviderName = t.String(
  '`device`, `custom`, `steam`, or the name of an OpenID Connect issuer that is registered for the game.',
  { minLength: 1, maxLength: 32 },
);

/** The fields of a login by device. */
export const device = {
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

/** The fields of a login by any provider. */
export const credentials = {
  provider: ProviderName,
  ...device,
  token: providerToken(
    'For `custom`: a JWT that the studio’s own server signed, with `sub` (1 to 255 characters) and `exp` (at most 24 hours ahead).',
  ),
  ticket: providerToken('For `steam`: the session ticket, in hexadecimal digits.'),
  id_token: providerToken('For an OpenID Connect issuer: its ID token.'),
  nonce: t.Optional(
    t.String(
      'For an OpenID Connect issuer: the nonce of the request that returned the ID token. The claim `nonce` must be the SHA-256 of this text, in hexadecimal digits (small letters) or base64url, or this text itself. A text in the form of a SHA-256 counts only if it was hashed. Required if the token has a nonce.',
      { minLength: 1, maxLength: 255 },
    ),
  ),
};

export const Providers = t.Array(t.String(), {
  description: 'The providers with which the player can log in, in alphabetical order.',
});

/** The header by which a call names its player; `required` says for which callers. */
export const playerTokenHeader = (required: string) =>
  t.Object({
    'x-player-token': t.Optional(t.String(`The player token of the player, ${required}.`)),
  });

export const LoggedIn = t.Object({
  player_id: PlayerId,
  player_token: t.String('For the header `x-player-token`, an hour long.'),
  expires_at: t.Timestamp('When the player token expires.'),
  refresh_token: t.String(
    `For one \`POST /v1/players/refresh\`, within ${REFRESH_TOKEN_DAYS} days.`,
  ),
  created: t.Boolean('Whether this login made the player or claimed it.'),
  providers: Providers,
});

export const exampleLogin = {
  player_id: '0190b7c1-6f2e-4c55-9f39-0d5b7c0e9a11',
  player_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJwbGF5ZXJfaWQiOiIuLi4ifQ.Qm9n',
  expires_at: '2026-03-01T19:24:05.000Z',
  refresh_token: 'ow_refresh_kMZ7nS1t3Q0',
  created: false,
  providers: ['device'],
};

export const exampleDevice = {
  provider: 'device',
  device_id: 'b6f1c1c0-2b62-4b43-8c0e-0d1f6c1f2a77',
  secret: 'q3Jr0m4cVt8nYx1LwZ7uKe5hSb2dGf9aPo6iTj3RkQM',
};

export const invalidField = badRequest('device_id is required');
export const unknownProvider = errorAnswer(
  'The game has no such login provider in this environment; or the player of the token was erased.',
  'Login provider not found',
);
export const providerAway = errorAnswer(
  'The provider gave no usable answer within 5 seconds; or the server is overloaded.',
  'The login provider cannot be reached, try again later',
);
