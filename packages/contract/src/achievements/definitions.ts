import { answer, errorAnswer, PageOf } from '../answers.ts';
import { EnvironmentQuery, GameId, GameParams } from '../common.ts';
import { LIMIT_REACHED, limitReached } from '../limits.ts';
import { operationsIn } from '../operation.ts';
import { t } from '../schema.ts';
import { AchievementKey, IconUrl, Points } from './achievements.ts';

const operation = operationsIn('Achievements (dashboard)');

export const AchievementParams = t.Object({ game_id: GameId, key: AchievementKey });

export const Fields = {
  name: t.Name('What players see.'),
  description: t.String('How to earn it.', { maxLength: 2_000 }),
  icon_url: IconUrl,
  points: Points,
  hidden: t.Boolean('Mask name and description until a player has unlocked it.'),
  position: t.Integer(
    'Place in the list, from 1. The ones at and behind it move one place on; past the end means the end.',
    { minimum: 1 },
  ),
};

export const Achievement = t.Resource('Achievement', {
  id: t.String('The key: it is what identifies an achievement.'),
  key: AchievementKey,
  ...Fields,
  archived: t.Boolean('Out of the catalogue; players who have it keep it, nobody can unlock it.'),
  created_at: t.Timestamp('When it was made.'),
  updated_at: t.Timestamp('When it was last changed, other than by moving others.'),
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

export const listGameAchievements = operation('GET /v1/games/{game_id}/achievements', {
  id: 'listGameAchievements',
  access: 'viewer',
  summary: 'List all achievements of a game, with how many players have each',
  description:
    'Archived and hidden ones too, nothing masked, by position. Counts are those of one environment. The list is whole: `next_cursor` is always null.',
  params: GameParams,
  query: EnvironmentQuery,
  answers: {
    200: answer(
      'The achievements.',
      t.Object({
        ...PageOf(
          'achievements',
          t.Object({
            ...Achievement.properties,
            unlock_count: t.Integer('Players who have it.'),
            unlock_share: t.Number('Share of all players who have it, 0 to 1; 0 without players.'),
          }),
        ).properties,
        player_count: t.Integer('All players of the environment.'),
      }),
      {
        achievements: [{ ...exampleAchievement, unlock_count: 811, unlock_share: 0.4055 }],
        next_cursor: null,
        player_count: 2000,
      },
    ),
  },
});

export const createAchievement = operation('POST /v1/games/{game_id}/achievements', {
  id: 'createAchievement',
  access: 'developer',
  summary: 'Define an achievement',
  description: `The key cannot be changed later. Archived achievements count towards the limit of the game. Definitions are shared by the game's environments.`,
  params: GameParams,
  body: t.Object({
    key: AchievementKey,
    name: Fields.name,
    description: t.Optional(Fields.description),
    icon_url: t.Optional(Fields.icon_url),
    points: t.Optional(Fields.points),
    hidden: t.Optional(Fields.hidden),
    position: t.Optional(Fields.position),
  }),
  example: {
    key: 'first_blood',
    name: 'First Blood',
    description: 'Win your first fight',
    icon_url: 'https://cdn.example.com/icons/first-blood.png',
    points: 10,
  },
  answers: {
    201: answer('It is defined.', Achievement, exampleAchievement),
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

export const updateAchievement = operation('PATCH /v1/games/{game_id}/achievements/{key}', {
  id: 'updateAchievement',
  access: 'developer',
  summary: 'Change, move, archive or restore an achievement',
  description:
    "What is left out stays as it is. `position` moves it and keeps the order of the others; moves at the same time each take effect. Changed points count at once in every player's total.",
  params: AchievementParams,
  body: t.Object(
    {
      name: t.Optional(Fields.name),
      description: t.Optional(Fields.description),
      icon_url: t.Optional(Fields.icon_url),
      points: t.Optional(Fields.points),
      hidden: t.Optional(Fields.hidden),
      position: t.Optional(Fields.position),
      archived: t.Optional(t.Boolean('True takes it out of the catalogue, false restores it.')),
    },
    { minProperties: 1 },
  ),
  example: { points: 15, position: 3 },
  answers: {
    200: answer('It is changed.', Achievement, {
      ...exampleAchievement,
      points: 15,
      position: 3,
    }),
    404: achievementOrGameNotFound,
  },
});

export const deleteAchievement = operation('DELETE /v1/games/{game_id}/achievements/{key}', {
  id: 'deleteAchievement',
  access: 'developer',
  summary: 'Delete an achievement, or archive it when players have it',
  description:
    'One that any player has, in either environment, is archived instead: they keep it. `result` says which happened.',
  params: AchievementParams,
  answers: {
    200: answer(
      'It is deleted or archived.',
      t.Object({
        key: AchievementKey,
        result: t.Enum(['deleted', 'archived'], 'What happened to it.'),
      }),
      { key: 'first_blood', result: 'archived' },
    ),
    404: achievementOrGameNotFound,
  },
});
