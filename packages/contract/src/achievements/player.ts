import { Type } from 'typebox';
import { Achievement, AchievementParams, dashboardGroup, Fields } from './definitions.ts';
import { AchievementKey, IconUrl, PlayerId, Points, UnlockedAt } from './achievements.ts';
import { EnvironmentQuery, errorAnswer, GameId, merge, PageOf, Resource } from '../common.ts';
import { defineOperation } from '../operation.ts';

const PlayerParams = Type.Object({ game_id: GameId, player_id: PlayerId });
const PlayerAchievementParams = merge(AchievementParams, PlayerParams);

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
