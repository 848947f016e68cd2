import { Type } from 'typebox';
import { AchievementKey, IconUrl, Points } from './achievements.ts';
import {
  EnvironmentQuery,
  errorAnswer,
  GameId,
  merge,
  Name,
  PageOf,
  Resource,
  Timestamp,
} from '../common.ts';
import { LIMIT_REACHED, limitReached } from '../limits.ts';
import { defineOperation } from '../operation.ts';

export const dashboardGroup = 'Achievements (dashboard)';

const GameParams = Type.Object({ game_id: GameId });
export const AchievementParams = Type.Object({ game_id: GameId, key: AchievementKey });

export const Fields = {
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

export const Achievement = Resource('Achievement', {
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
  description: `The key cannot be changed later. Archived achievements count towards the limit of the game. Definitions are shared by the game's environments.`,
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
    403: limitReached('The role does not allow it, or the game has as many as it may have.', {
      error:
        'This game has reached its limit of 500 achievements: delete one, or ask an administrator of this installation for more',
      code: LIMIT_REACHED,
      resource: 'achievements',
      limit: 500,
      used: 500,
    }),
    409: errorAnswer(
      'The key is taken, also by an archived achievement.',
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
