import { Type } from 'typebox';
import {
  EnvironmentQuery,
  errorAnswer,
  GameId,
  merge,
  Name,
  Nullable,
  PageOf,
  Resource,
  Timestamp,
} from './common.ts';
import { defineOperation } from './operation.ts';

const group = 'Achievements';
const dashboardGroup = 'Achievements (dashboard)';

/** Most achievements a game can have, archived ones too: the list is not paged. */
export const MAX_ACHIEVEMENTS = 1_000;
/** Most points of one achievement. */
export const MAX_POINTS = 1_000_000;
/** What a hidden achievement shows for its name and description until it is unlocked. */
export const MASK = '???';

const AchievementKey = Name('Names the achievement within its game.');
const PlayerId = Name('Id of the player, given by the game.');
const Points = Type.Integer({
  minimum: 0,
  maximum: MAX_POINTS,
  description: `Points it is worth, 0 to ${MAX_POINTS.toLocaleString('en')}.`,
});
const IconUrl = Type.String({
  maxLength: 2_048,
  description:
    'Where the game finds its icon: an address, or any text the game understands. May be empty.',
});
const UnlockedAt = Nullable(Timestamp('When the player unlocked it; null while it is locked.'));

const PlayerAchievement = Resource('PlayerAchievement', {
  key: AchievementKey,
  name: Type.String({ description: `Its name; \`${MASK}\` while it is hidden and locked.` }),
  description: Type.String({
    description: `Its description; \`${MASK}\` while it is hidden and locked.`,
  }),
  icon_url: IconUrl,
  points: Points,
  hidden: Type.Boolean({
    description: 'Whether name and description are masked until it is unlocked.',
  }),
  unlocked: Type.Optional(
    Type.Boolean({ description: 'Whether the player has it; only with `player_id`.' }),
  ),
  unlocked_at: Type.Optional(UnlockedAt),
});

export const unlockAchievement = defineOperation({
  id: 'unlockAchievement',
  method: 'POST',
  path: '/v1/achievements/unlock',
  access: 'key',
  group,
  summary: 'Unlock an achievement for a player',
  description:
    'Idempotent: unlocking again answers 200 with `already_unlocked` true and keeps the first `unlocked_at`. Of many calls at the same time exactly one is answered `already_unlocked` false. `total_points` is what this player has unlocked, this achievement included. Unlocks are separate in each environment. An archived achievement is unknown (404) to players who do not have it.',
  body: Type.Object({
    achievement_key: AchievementKey,
    player_id: PlayerId,
  }),
  example: { achievement_key: 'first_blood', player_id: 'player-1842' },
  answers: {
    200: {
      description: 'The player has the achievement.',
      body: Type.Object({
        success: Type.Literal(true),
        achievement: Type.Object({
          key: AchievementKey,
          name: Type.String({ description: 'Its name, never masked.' }),
          description: Type.String({ description: 'Its description, never masked.' }),
          points: Points,
        }),
        already_unlocked: Type.Boolean({ description: 'Whether the player had it before.' }),
        total_points: Type.Integer({ description: 'Points of all that this player has unlocked.' }),
      }),
      example: {
        success: true,
        achievement: {
          key: 'first_blood',
          name: 'First Blood',
          description: 'Win your first fight',
          points: 10,
        },
        already_unlocked: false,
        total_points: 35,
      },
    },
    404: errorAnswer('No achievement has this key.', 'Achievement not found'),
  },
});

export const listAchievements = defineOperation({
  id: 'listAchievements',
  method: 'GET',
  path: '/v1/achievements',
  access: 'key',
  group,
  summary: 'List the achievements, with what a player has unlocked',
  description: `All achievements of the game by their position. With \`player_id\` each says whether that player has unlocked it, and when; a player who is not known yet has none. A hidden achievement shows \`${MASK}\` for name and description unless the player given has unlocked it; its \`icon_url\` and \`points\` are sent as they are, so give it an icon that tells nothing. Archived achievements are left out, except for a player who has them: that player keeps them, and their points count in both of the player's totals.`,
  query: Type.Object({ player_id: Type.Optional(PlayerId) }),
  answers: {
    200: {
      description: 'The achievements.',
      body: Type.Object({
        achievements: Type.Array(PlayerAchievement),
        total_points: Type.Integer({ description: 'Points of all achievements listed.' }),
        unlocked_points: Type.Integer({
          description: 'Points of those that the player has unlocked; 0 without `player_id`.',
        }),
      }),
      example: {
        achievements: [
          {
            key: 'first_blood',
            name: 'First Blood',
            description: 'Win your first fight',
            icon_url: 'https://cdn.example.com/icons/first-blood.png',
            points: 10,
            hidden: false,
            unlocked: true,
            unlocked_at: '2026-03-14T15:09:26.535Z',
          },
          {
            key: 'the_cake',
            name: MASK,
            description: MASK,
            icon_url: '',
            points: 25,
            hidden: true,
            unlocked: false,
            unlocked_at: null,
          },
        ],
        total_points: 35,
        unlocked_points: 10,
      },
    },
  },
});

const GameParams = Type.Object({ game_id: GameId });
const AchievementParams = Type.Object({ game_id: GameId, key: AchievementKey });
const PlayerParams = Type.Object({ game_id: GameId, player_id: PlayerId });
const PlayerAchievementParams = merge(AchievementParams, PlayerParams);

const Fields = {
  name: Name('What players see.'),
  description: Type.String({ maxLength: 2_000, description: 'How to earn it.' }),
  icon_url: IconUrl,
  points: Points,
  hidden: Type.Boolean({
    description: 'Mask name and description until a player has unlocked it.',
  }),
  position: Type.Integer({
    minimum: 1,
    description:
      'Place in the list, from 1. The ones at and behind it move one place on; past the end means the end.',
  }),
};

const Achievement = Resource('Achievement', {
  id: Type.String({ description: 'The key: it is what identifies an achievement.' }),
  key: AchievementKey,
  ...Fields,
  archived: Type.Boolean({
    description: 'Out of the catalogue; players who have it keep it, nobody can unlock it.',
  }),
  created_at: Timestamp('When it was made.'),
  updated_at: Timestamp('When it was last changed, other than by moving others.'),
});

const exampleAchievement = {
  id: 'first_blood',
  key: 'first_blood',
  name: 'First Blood',
  description: 'Win your first fight',
  icon_url: 'https://cdn.example.com/icons/first-blood.png',
  points: 10,
  hidden: false,
  position: 1,
  archived: false,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
};

const achievementOrGameNotFound = errorAnswer(
  'The game has no such achievement, or the account is no member of the game.',
  'Achievement not found',
);

export const listGameAchievements = defineOperation({
  id: 'listGameAchievements',
  method: 'GET',
  path: '/v1/games/{game_id}/achievements',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'List all achievements of a game, with how many players have each',
  description:
    'Archived and hidden ones too, nothing masked, by position. Counts are those of one environment. The list is whole: `next_cursor` is always null.',
  params: GameParams,
  query: EnvironmentQuery,
  answers: {
    200: {
      description: 'The achievements.',
      body: merge(
        PageOf(
          'achievements',
          merge(
            Achievement,
            Type.Object({
              unlock_count: Type.Integer({ description: 'Players who have it.' }),
              unlock_share: Type.Number({
                description: 'Share of all players who have it, 0 to 1; 0 without players.',
              }),
            }),
          ),
        ),
        Type.Object({
          player_count: Type.Integer({ description: 'All players of the environment.' }),
        }),
      ),
      example: {
        achievements: [{ ...exampleAchievement, unlock_count: 811, unlock_share: 0.4055 }],
        next_cursor: null,
        player_count: 2000,
      },
    },
  },
});

export const createAchievement = defineOperation({
  id: 'createAchievement',
  method: 'POST',
  path: '/v1/games/{game_id}/achievements',
  access: 'developer',
  group: dashboardGroup,
  summary: 'Define an achievement',
  description: `The key cannot be changed later. A game has at most ${MAX_ACHIEVEMENTS.toLocaleString('en')} achievements, archived ones included. Definitions are shared by the game's environments.`,
  params: GameParams,
  body: Type.Object({
    key: AchievementKey,
    name: Fields.name,
    description: Type.Optional(Fields.description),
    icon_url: Type.Optional(Fields.icon_url),
    points: Type.Optional(Fields.points),
    hidden: Type.Optional(Fields.hidden),
    position: Type.Optional(Fields.position),
  }),
  example: {
    key: 'first_blood',
    name: 'First Blood',
    description: 'Win your first fight',
    icon_url: 'https://cdn.example.com/icons/first-blood.png',
    points: 10,
  },
  answers: {
    201: { description: 'It is defined.', body: Achievement, example: exampleAchievement },
    409: errorAnswer(
      `The key is taken, also by an archived achievement; or the game has ${MAX_ACHIEVEMENTS.toLocaleString('en')} achievements.`,
      'An achievement with this key exists already',
    ),
  },
});

export const updateAchievement = defineOperation({
  id: 'updateAchievement',
  method: 'PATCH',
  path: '/v1/games/{game_id}/achievements/{key}',
  access: 'developer',
  group: dashboardGroup,
  summary: 'Change, move, archive or restore an achievement',
  description:
    "What is left out stays as it is. `position` moves it and keeps the order of the others; moves at the same time each take effect. Changed points count at once in every player's total.",
  params: AchievementParams,
  body: Type.Object(
    {
      name: Type.Optional(Fields.name),
      description: Type.Optional(Fields.description),
      icon_url: Type.Optional(Fields.icon_url),
      points: Type.Optional(Fields.points),
      hidden: Type.Optional(Fields.hidden),
      position: Type.Optional(Fields.position),
      archived: Type.Optional(
        Type.Boolean({ description: 'True takes it out of the catalogue, false restores it.' }),
      ),
    },
    { minProperties: 1 },
  ),
  example: { points: 15, position: 3 },
  answers: {
    200: {
      description: 'It is changed.',
      body: Achievement,
      example: { ...exampleAchievement, points: 15, position: 3 },
    },
    404: achievementOrGameNotFound,
  },
});

export const deleteAchievement = defineOperation({
  id: 'deleteAchievement',
  method: 'DELETE',
  path: '/v1/games/{game_id}/achievements/{key}',
  access: 'developer',
  group: dashboardGroup,
  summary: 'Delete an achievement, or archive it when players have it',
  description:
    'One that any player has, in either environment, is archived instead: they keep it. `result` says which happened.',
  params: AchievementParams,
  answers: {
    200: {
      description: 'It is deleted or archived.',
      body: Type.Object({
        key: AchievementKey,
        result: Type.Enum(['deleted', 'archived'], { description: 'What happened to it.' }),
      }),
      example: { key: 'first_blood', result: 'archived' },
    },
    404: achievementOrGameNotFound,
  },
});

const UnlockedAchievement = Resource('UnlockedAchievement', {
  key: AchievementKey,
  name: Fields.name,
  description: Fields.description,
  icon_url: IconUrl,
  points: Points,
  hidden: Fields.hidden,
  archived: Achievement.properties.archived,
  unlocked: Type.Boolean({ description: 'Whether the player has it.' }),
  unlocked_at: UnlockedAt,
});

const exampleUnlocked = {
  key: 'first_blood',
  name: 'First Blood',
  description: 'Win your first fight',
  icon_url: 'https://cdn.example.com/icons/first-blood.png',
  points: 10,
  hidden: false,
  archived: false,
  unlocked: true,
  unlocked_at: '2026-03-14T15:09:26.535Z',
};

const playerNotFound = errorAnswer(
  'The environment has no such player, or the account is no member of the game.',
  'Player not found',
);

export const listPlayerAchievements = defineOperation({
  id: 'listPlayerAchievements',
  method: 'GET',
  path: '/v1/games/{game_id}/players/{player_id}/achievements',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'List the achievements with what one player has unlocked',
  description:
    'The catalogue and the archived achievements that the player has, by position, nothing masked. The list is whole: `next_cursor` is always null.',
  params: PlayerParams,
  query: EnvironmentQuery,
  answers: {
    200: {
      description: 'The achievements.',
      body: merge(
        PageOf('achievements', UnlockedAchievement),
        Type.Object({
          total_points: Type.Integer({ description: 'Points of all achievements listed.' }),
          unlocked_points: Type.Integer({ description: 'Points that the player has.' }),
        }),
      ),
      example: {
        achievements: [exampleUnlocked],
        next_cursor: null,
        total_points: 10,
        unlocked_points: 10,
      },
    },
    404: playerNotFound,
  },
});

export const grantAchievement = defineOperation({
  id: 'grantAchievement',
  method: 'POST',
  path: '/v1/games/{game_id}/players/{player_id}/achievements/{key}',
  access: 'developer',
  group: dashboardGroup,
  summary: 'Give a player an achievement',
  description: 'Takes no body. An archived achievement can be given too.',
  params: PlayerAchievementParams,
  query: EnvironmentQuery,
  answers: {
    201: {
      description: 'The player has it now.',
      body: UnlockedAchievement,
      example: exampleUnlocked,
    },
    200: {
      description: 'The player had it already; nothing is changed.',
      body: UnlockedAchievement,
      example: exampleUnlocked,
    },
    404: errorAnswer('The game, player or achievement does not exist.', 'Achievement not found'),
  },
});

export const revokeAchievement = defineOperation({
  id: 'revokeAchievement',
  method: 'DELETE',
  path: '/v1/games/{game_id}/players/{player_id}/achievements/{key}',
  access: 'developer',
  group: dashboardGroup,
  summary: 'Take an achievement from a player',
  description: 'The player can unlock it again, as if for the first time.',
  params: PlayerAchievementParams,
  query: EnvironmentQuery,
  answers: {
    204: { description: 'The player has it no longer.' },
    404: errorAnswer(
      'The game does not exist, or the player does not have this achievement.',
      'The player does not have this achievement',
    ),
  },
});
