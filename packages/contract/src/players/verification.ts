import { answer } from '../answers.ts';
import { EnvironmentName, EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Players (dashboard)');

/** The values of the setting that decides which calls about a player must carry the player's token. */
const VERIFICATIONS = ['off', 'claimed', 'required'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** The values of `writes_from`: the callers that may write an achievement or a leaderboard. */
export const WRITES_FROM = ['anyone', 'verified', 'server'] as const;
export type WritesFrom = (typeof WRITES_FROM)[number];
const WRITES_FROM_IN_WORDS =
  'The calls that may write it: `anyone`; `verified`: calls with `x-player-token` or a server key; `server`: calls with a server key alone. Others are answered 403.';
export const WritesFromName = t.Enum(WRITES_FROM, WRITES_FROM_IN_WORDS);

const VerificationName = t.Enum(
  VERIFICATIONS,
  'Which calls about a player need `x-player-token`: `off`: none; `claimed`: those about players who have logged in once; `required`: all. Calls with a server key never need it.',
);

const AllowsClaims = t.Boolean(
  'Whether the first login of a device or account may choose its player by `player_id`: take over a player without a login, or make a player of this id. If not, such a login is answered 403, unless a server key or a custom token vouches for it.',
);

const PlayerVerification = t.Resource('PlayerVerification', {
  environment: EnvironmentName,
  verification: VerificationName,
  allows_claims: AllowsClaims,
  player_count: t.Integer('All players of the environment.'),
  claimed_player_count: t.Integer('Players who have logged in once.'),
  last_day: t.Object(
    {
      with_token: t.Integer('Calls with a valid `x-player-token`.'),
      without_token: t.Integer(
        'Calls without it: under `required` these were answered 401, before it they would have been.',
      ),
    },
    {
      description:
        'Calls about a player by client keys in the last 24 hours, counted by hours and up to ten seconds late. A request with events counts once if an event names a player. Calls with an invalid token are not in it: they are refused in any case.',
    },
  ),
});

const exampleVerification = {
  environment: 'production',
  verification: 'off',
  allows_claims: true,
  player_count: 18_240,
  claimed_player_count: 15_903,
  last_day: { with_token: 812_440, without_token: 20_371 },
};

export const getPlayerVerification = operation('GET /v1/games/{game_id}/player-verification', {
  access: 'viewer',
  summary: 'Read which calls need a player token',
  description:
    'The settings of an environment, and the numbers of calls that a stricter one would refuse.',
  query: EnvironmentQuery,
  answers: { 200: answer('The settings.', PlayerVerification, exampleVerification) },
});

export const updatePlayerVerification = operation('PATCH /v1/games/{game_id}/player-verification', {
  access: 'developer',
  summary: 'Choose which calls need a player token',
  description:
    'Settings that are left out stay as they are; all take effect on every server within a second. A game that has players moves by `claimed`: from then on nobody can act for a player who logs in, while older builds still play with players who never did. Change to `required` when few calls come without a token, and refuse claims when the players of older builds have logged in. Production needs the role admin.',
  query: EnvironmentQuery,
  body: t.Changes({ verification: VerificationName, allows_claims: AllowsClaims }),
  example: { verification: 'claimed' },
  answers: {
    200: answer('The settings as they are now.', PlayerVerification, {
      ...exampleVerification,
      verification: 'claimed',
    }),
  },
});
