import { answer, errorAnswer, notFoundInGame, PageOf } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { AchievementKey } from '../path-parameters.ts';
import { t } from '../schema.ts';
import { catalogueExample, IconUrl, Points, UnlockedAt } from './achievements.ts';
import { Achievement, Fields } from './definitions.ts';

const operation = operationsIn('Achievements (dashboard)');

const UnlockedAchievement = t.Resource('UnlockedAchievement', {
  key: AchievementKey,
  name: Fields.name,
  description: Fields.description,
  icon_url: IconUrl,
  points: Points,
  hidden: Fields.hidden,
  archived: Achievement.properties.archived,
  unlocked: t.Boolean('Whether the player has it.'),
  unlocked_at: UnlockedAt,
});

const exampleUnlocked = {
  ...catalogueExample,
  archived: false,
  unlocked: true,
  unlocked_at: '2026-03-14T15:09:26.535Z',
};

const playerNotFound = notFoundInGame('player');

export const listPlayerAchievements = operation(
  'GET /v1/games/{game_id}/players/{player_id}/achievements',
  {
    access: 'viewer',
    summary: 'List the achievements and the unlocks of one player',
    description:
      'By position: the catalogue, and the archived achievements that the player has; nothing is masked. The list has one page: `next_cursor` is always null.',
    query: EnvironmentQuery,
    answers: {
      200: answer(
        'The achievements.',
        t.Object({
          ...PageOf('achievements', UnlockedAchievement).properties,
          total_points: t.Integer('Points of all achievements listed.'),
          unlocked_points: t.Integer('Points that the player has.'),
        }),
        {
          achievements: [exampleUnlocked],
          next_cursor: null,
          total_points: 10,
          unlocked_points: 10,
        },
      ),
      404: playerNotFound,
    },
  },
);

export const grantAchievement = operation(
  'POST /v1/games/{game_id}/players/{player_id}/achievements/{key}',
  {
    access: 'developer',
    summary: 'Give a player an achievement',
    description: 'Takes no body. Archived achievements can be given, too.',
    query: EnvironmentQuery,
    answers: {
      201: answer('The player has it now.', UnlockedAchievement, exampleUnlocked),
      200: answer(
        'The player had it before; nothing is changed.',
        UnlockedAchievement,
        exampleUnlocked,
      ),
      404: errorAnswer('The game, player or achievement does not exist.', 'Achievement not found'),
    },
  },
);

export const revokeAchievement = operation(
  'DELETE /v1/games/{game_id}/players/{player_id}/achievements/{key}',
  {
    access: 'developer',
    summary: 'Take an achievement from a player',
    description: 'The player can unlock it again, as if for the first time.',
    query: EnvironmentQuery,
    answers: {
      204: { description: 'The player no longer has it.' },
      404: errorAnswer(
        'The game does not exist, or the player does not have this achievement.',
        'The player does not have this achievement',
      ),
    },
  },
);
