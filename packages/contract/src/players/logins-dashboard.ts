import { answer, errorAnswer, notFoundInGame, onePageAnswer } from '../answers.ts';
import { EnvironmentQuery, GameId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { ProviderName } from './login-fields.ts';

const operation = operationsIn('Player login (dashboard)');

/** The maximum number of login providers in one environment of a game. */
export const MAX_LOGIN_PROVIDERS = 20;
/** Shortest secret that may sign custom tokens, in characters. */
const MIN_CUSTOM_SECRET_LENGTH = 32;
/** The maximum number of audiences of one issuer. */
const MAX_AUDIENCES = 10;
const MAX_URL_LENGTH = 512;

const settings = {
  public_key: t.String(
    'For `custom`: the public key of the studio’s server in PEM: RSA from 2048 bits, P-256, P-384, P-521 or Ed25519.',
    { minLength: 1, maxLength: 4_096 },
  ),
  app_id: t.String('For `steam`: the app id, in digits.', { minLength: 1, maxLength: 10 }),
  identity: t.String(
    'For `steam`: the identity with which the game asks Steam for tickets, where it gives one.',
    { minLength: 1, maxLength: 255 },
  ),
  issuer: t.String('For an OpenID Connect issuer: its address, exactly as in `iss`.', {
    minLength: 1,
    maxLength: MAX_URL_LENGTH,
  }),
  audiences: t.Array(t.String('A client id.', { minLength: 1, maxLength: 255 }), {
    description:
      'For an OpenID Connect issuer: the client ids of the game, one of which must be in `aud`.',
    minItems: 1,
    maxItems: MAX_AUDIENCES,
  }),
  jwks_url: t.String(
    'For an OpenID Connect issuer: the address of its keys. If it is left out, `/.well-known/openid-configuration` of the issuer names it.',
    { minLength: 1, maxLength: MAX_URL_LENGTH },
  ),
};

const secrets = {
  secret: t.Optional(
    t.String(
      `For \`custom\`: the secret with which the studio’s server signs tokens by HS256. At least ${MIN_CUSTOM_SECRET_LENGTH} characters.`,
      { minLength: MIN_CUSTOM_SECRET_LENGTH, maxLength: 1_024 },
    ),
  ),
  web_api_key: t.Optional(
    t.String('For `steam`: the Web API key.', { minLength: 1, maxLength: 255 }),
  ),
};

const LoginProvider = t.Resource('LoginProvider', {
  provider: ProviderName,
  kind: t.Enum(['custom', 'steam', 'oidc'], 'How logins of the provider are checked.'),
  has_secret: t.Boolean('Whether a secret or Web API key is stored. It is never shown.'),
  public_key: t.Nullable(settings.public_key),
  app_id: t.Nullable(settings.app_id),
  identity: t.Nullable(settings.identity),
  issuer: t.Nullable(settings.issuer),
  audiences: t.Array(t.String(), { description: 'Client ids of the game at the issuer.' }),
  jwks_url: t.Nullable(settings.jwks_url),
  updated_at: t.Timestamp('When it was last changed.'),
});

const exampleProvider = {
  provider: 'google',
  kind: 'oidc',
  has_secret: false,
  public_key: null,
  app_id: null,
  identity: null,
  issuer: 'https://accounts.google.com',
  audiences: ['1234567890-abc.apps.googleusercontent.com'],
  jwks_url: null,
  updated_at: '2026-03-01T09:05:00.000Z',
};

const providerParams = t.Object({ game_id: GameId, provider: ProviderName });
const providerNotFound = notFoundInGame('login provider');
const byRole = 'It needs the role admin, because a provider can name any player.';

export const listLoginProviders = operation('GET /v1/games/{game_id}/login-providers', {
  access: 'viewer',
  summary: 'List the login providers of a game',
  description:
    'The providers of one environment, besides `device`, which every game has. Secrets are never shown.',
  query: EnvironmentQuery,
  answers: {
    200: onePageAnswer(
      'All providers, by name.',
      'login_providers',
      LoginProvider,
      exampleProvider,
    ),
  },
});

export const putLoginProvider = operation('PUT /v1/games/{game_id}/login-providers/{provider}', {
  access: 'admin',
  summary: 'Register a login provider',
  description: `Registers a provider for one environment, or replaces its settings. \`custom\` needs \`secret\` or \`public_key\`, \`steam\` needs \`app_id\` and \`web_api_key\`, and any other name stands for an OpenID Connect issuer, with \`issuer\` and \`audiences\`. A login belongs to its issuer: if the name gets another issuer, the same \`sub\` is another player, and the logins of the issuer before work again when the name gets that issuer back. Names have small letters, digits, \`-\` and \`_\`. A secret that is left out stays as it is. Addresses must begin with https and must not lead into the network of this installation. ${byRole}`,
  params: providerParams,
  query: EnvironmentQuery,
  body: t.Object({
    ...secrets,
    public_key: t.Optional(settings.public_key),
    app_id: t.Optional(settings.app_id),
    identity: t.Optional(settings.identity),
    issuer: t.Optional(settings.issuer),
    audiences: t.Optional(settings.audiences),
    jwks_url: t.Optional(settings.jwks_url),
  }),
  example: {
    issuer: exampleProvider.issuer,
    audiences: exampleProvider.audiences,
  },
  answers: {
    200: answer('The provider is registered.', LoginProvider, exampleProvider),
    400: errorAnswer('A setting is missing or invalid.', 'issuer is required'),
    409: errorAnswer(
      'The environment has as many providers as it can have.',
      `A game can have at most ${MAX_LOGIN_PROVIDERS} login providers: remove one first`,
    ),
  },
});

export const deleteLoginProvider = operation(
  'DELETE /v1/games/{game_id}/login-providers/{provider}',
  {
    access: 'admin',
    summary: 'Remove a login provider',
    description: `Players cannot log in with it until it is registered again; their logins stay. ${byRole}`,
    params: providerParams,
    query: EnvironmentQuery,
    answers: { 204: { description: 'The provider is removed.' }, 404: providerNotFound },
  },
);

const PlayerLogin = t.Resource('PlayerLogin', {
  provider: ProviderName,
  subject: t.String('The id of the player at the provider; for `device` the device id.'),
  created_at: t.Timestamp('When it was linked.'),
});

export const listPlayerLogins = operation('GET /v1/games/{game_id}/players/{player_id}/logins', {
  access: 'viewer',
  summary: 'List the logins of a player',
  description: 'A player without logins is not claimed: anybody with the API key can name it.',
  query: EnvironmentQuery,
  answers: {
    200: onePageAnswer('All logins, the oldest first.', 'logins', PlayerLogin, {
      provider: 'steam',
      subject: '76561198000000000',
      created_at: '2026-03-01T09:05:00.000Z',
    }),
    404: notFoundInGame('player'),
  },
});

export const removePlayerLogin = operation(
  'DELETE /v1/games/{game_id}/players/{player_id}/logins',
  {
    access: 'developer',
    summary: 'Remove a login of a player',
    description:
      'Removes one login and ends the sessions that began with it. Without its last login the player is not claimed: anybody with the API key can name it, and take it over if the environment allows claims.',
    query: t.Object({
      ...EnvironmentQuery.properties,
      provider: ProviderName,
      subject: t.Name('The id of the player at the provider.'),
    }),
    answers: {
      204: { description: 'The login is removed.' },
      404: notFoundInGame('login'),
    },
  },
);
