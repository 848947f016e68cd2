import { answer, errorAnswer, notFoundInGame, onePageAnswer } from '../answers.ts';
import { EnvironmentName, EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { AchievementKey } from '../path-parameters.ts';
import { t } from '../schema.ts';
import { GRANT_UNDO_DAYS } from './rule-limits.ts';
import { UnlockWhen } from './rules.ts';

const operation = operationsIn('Achievements (dashboard)');

export const GRANT_STATES = ['running', 'done', 'undoing', 'undone'] as const;

const Grant = t.Resource('AchievementGrant', {
  id: t.Uuid('Id of the grant.'),
  environment: EnvironmentName,
  achievement_key: AchievementKey,
  unlock_when: { ...UnlockWhen, description: 'The rule of the achievement when the grant began.' },
  state: t.Enum(
    GRANT_STATES,
    '`running` and `undoing` go on in the background. While it is undone, `granted_count` falls.',
  ),
  player_count: t.Integer('Players who had earned it and did not have it when the grant began.'),
  granted_count: t.Integer('Players who have got it by this grant, and not lost it by an undo.'),
  started_at: t.Timestamp('When it began.'),
  ended_at: t.Nullable(t.Timestamp('When it ended; null while it goes on.')),
});

const example = {
  id: '0b6a1d5e-5f5c-4a8e-9f57-3c1d2e4f5a6b',
  environment: 'production' as const,
  achievement_key: 'veteran',
  unlock_when: [{ stat: 'wins', at_least: 100 }],
  state: 'running' as const,
  player_count: 1_204,
  granted_count: 500,
  started_at: '2026-03-14T15:09:26.535Z',
  ended_at: null,
};

export const listAchievementGrants = operation('GET /v1/games/{game_id}/achievement-grants', {
  access: 'viewer',
  summary: 'List the grants of achievements to all who have earned them',
  description:
    'The newest 50 of one environment, also those that the server has begun after it had counted a new source of a statistic. The list has one page: `next_cursor` is always null.',
  query: EnvironmentQuery,
  answers: { 200: onePageAnswer('The grants.', 'grants', Grant, example) },
});

export const createAchievementGrant = operation('POST /v1/games/{game_id}/achievement-grants', {
  access: 'developer',
  summary: 'Give an achievement to all players who have earned it already',
  description: `Unlocks the achievement, in the background, for each player of the environment who meets its rule now. Webhooks are told as of any unlock. Without a grant, such a player gets it with the next change of one of its statistics. It can be undone for ${GRANT_UNDO_DAYS} days.`,
  query: EnvironmentQuery,
  body: t.Object({ achievement_key: AchievementKey }),
  example: { achievement_key: 'veteran' },
  answers: {
    202: answer('It has begun.', Grant, { ...example, granted_count: 0 }),
    404: errorAnswer('The game has no such achievement.', 'Achievement not found'),
    409: errorAnswer(
      'The achievement has no rule or is archived, or a grant of it goes on.',
      'The achievement has no rule: set unlock_when first',
    ),
  },
});

export const undoAchievementGrant = operation(
  'POST /v1/games/{game_id}/achievement-grants/{grant_id}/undo',
  {
    access: 'developer',
    summary: 'Take an achievement back from all who have got it by a grant',
    description:
      'Takes no body. In the background; a grant that still goes on ends. Players who had or have got the achievement otherwise keep it. The rule stays: change it or archive the achievement, or these players get it again with their next changes.',
    answers: {
      202: answer('The undo has begun.', Grant, { ...example, state: 'undoing' }),
      404: notFoundInGame('grant'),
      409: errorAnswer('It is undone already, or too old.', 'This grant is undone already'),
    },
  },
);
