import { answer, errorAnswer, pageAnswer } from '../answers.ts';
import { PageQuery } from '../common.ts';
import { limitReached } from '../limits.ts';
import { ROLES } from '../operation.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { EVENT_VALIDATION_MODES, TIER_NAMES } from '../tiers.ts';

const operation = operationsIn('Games');

/** The error for a name that is no time zone. */
export const INVALID_ZONE = 'time_zone must be an IANA time zone, such as Europe/Berlin';

const GAME_NAME = 'Name of the game, as the dashboard shows it.';
const NewGameName = t.NewName(GAME_NAME);
const EventValidation = (environment: string) =>
  t.Enum(
    EVENT_VALIDATION_MODES,
    `Treatment of events that break the schema of their name: \`off\` checks nothing, \`warn\` stores and reports them, \`reject\` refuses them. In ${environment}.`,
  );
const PlayerNameProperty = t.Name(
  'Property of players that holds their names, such as `display_name`; null if players are shown by their ids.',
);

export const TimeZoneChange = t.Union(
  [
    t.Resource('TimeZoneChange', {
      time_zone: t.String('The new time zone.'),
      progress: t.Number('Part of the work that is done, from 0 to 1.'),
    }),
    t.Null(),
  ],
  {
    description:
      'The change to another time zone that is under way: until it is complete, reports keep the days of the old one. Null if there is none.',
  },
);

const Game = t.Resource('Game', {
  id: t.Uuid('Id of the game.'),
  name: t.Name(GAME_NAME),
  time_zone: t.String('IANA time zone in which its days begin and end.'),
  time_zone_change: TimeZoneChange,
  tier: t.Enum(TIER_NAMES, 'Billing tier: sets the monthly event quota.'),
  event_quota: t.Integer('Events a month, over both environments.'),
  event_validation: EventValidation('production'),
  development_event_validation: EventValidation('development'),
  player_name_property: t.Nullable(PlayerNameProperty),
  forked_from: t.Nullable(
    t.Uuid('Id of the game from which `overworld fork` has made it; null for all other games.'),
  ),
  advanced_days: t.Integer('Days by which `overworld advance` has set on the clock of the fork.', {
    minimum: 0,
  }),
  created_at: t.Timestamp('When it was made.'),
  role: t.Enum(
    ROLES,
    'Role of the caller in it; an administrator of the installation counts as owner.',
  ),
});

const exampleGame = {
  id: '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42',
  name: 'Sky Harbour',
  time_zone: 'Europe/Berlin',
  time_zone_change: null,
  tier: 'free',
  event_quota: 100_000,
  event_validation: 'off',
  development_event_validation: 'off',
  player_name_property: 'display_name',
  forked_from: null,
  advanced_days: 0,
  created_at: '2026-03-01T09:00:00.000Z',
  role: 'owner',
};

export const listGames = operation('GET /v1/games', {
  access: 'account',
  token_role: 'viewer',
  summary: 'List your games',
  description:
    'The games that the account is a member of, each with its role, the oldest first. An administrator of the installation sees every game.',
  query: PageQuery,
  answers: {
    200: pageAnswer('A page of games.', 'games', Game, exampleGame),
  },
});

export const createGame = operation('POST /v1/games', {
  access: 'account',
  summary: 'Make a game',
  description:
    'The caller becomes its owner. A new game is on the Free tier, does not check event schemas and has no API keys yet. The time zone decides when its days begin in analytics and on boards. The number of games on the Free tier that an account may own is limited, except for administrators of the installation.',
  body: t.Object({
    name: NewGameName,
    time_zone: t.Optional(
      t.String('IANA time zone, such as `Europe/Berlin`; `UTC` when left out.', {
        minLength: 1,
        maxLength: 64,
        default: 'UTC',
      }),
    ),
    player_name_property: t.Optional(PlayerNameProperty),
  }),
  example: {
    name: 'Sky Harbour',
    time_zone: 'Europe/Berlin',
    player_name_property: 'display_name',
  },
  answers: {
    201: answer('The game exists.', Game, exampleGame),
    403: limitReached('The account has reached its limit of games on the Free tier.', 'free_games'),
    400: errorAnswer('A field is missing or invalid; `error` names it.', INVALID_ZONE),
  },
});

export const getGame = operation('GET /v1/games/{game_id}', {
  access: 'viewer',
  summary: 'Read a game',
  description: 'The settings of the game, and the role of the caller in it.',
  answers: { 200: answer('The game.', Game, exampleGame) },
});

export const updateGame = operation('PATCH /v1/games/{game_id}', {
  access: 'developer',
  summary: 'Change the settings of a game',
  description:
    'Settings that are left out stay as they are. `name` and `time_zone` need the role admin, the others developer. A changed `time_zone` takes effect when all days are counted anew, in the background: `time_zone_change` tells the progress, reports keep the old days until then, and events that arrive meanwhile are safe and counted at the end. Seasons of boards that are under way end at the time that was set when they began. `getTimeZone` tells beforehand how long it takes and what cannot be counted anew. `event_validation` alone sets both environments; `production_event_validation` and `development_event_validation` set one and leave the other as it is. They take effect on every server within a second. A changed `player_name_property` shows in lists at once; the index of the search is built anew in the background, and searches take longer meanwhile.',
  body: t.Changes({
    name: NewGameName,
    time_zone: t.String('IANA time zone, such as `Europe/Berlin`.', {
      minLength: 1,
      maxLength: 64,
    }),
    event_validation: EventValidation(
      'production, and in development too if its own setting is left out',
    ),
    production_event_validation: EventValidation(
      'production alone; not together with `event_validation`',
    ),
    development_event_validation: EventValidation('development'),
    player_name_property: t.Nullable(PlayerNameProperty),
  }),
  example: { event_validation: 'warn' },
  answers: {
    200: answer('The game as it is now.', Game, {
      ...exampleGame,
      event_validation: 'warn',
      development_event_validation: 'warn',
    }),
    400: errorAnswer(
      'A field is missing, invalid or one too many; `error` names it.',
      INVALID_ZONE,
    ),
    409: errorAnswer(
      'Another change of the time zone is under way.',
      'time_zone is being changed to Asia/Tokyo: wait until that is complete',
    ),
  },
});

export const deleteGame = operation('DELETE /v1/games/{game_id}', {
  access: 'owner',
  summary: 'Delete a game with all its data',
  description:
    'The game, its members and its API keys are gone when this answers; its players and all their data are erased in the background, in small steps, also across restarts. This cannot be undone. The audit log of the installation records which account deleted the game.',
  answers: { 204: { description: 'The game is gone.' } },
});
