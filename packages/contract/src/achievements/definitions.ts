import { answer, errorAnswer, ErrorWith, notFoundInGame, PageOf, UsedBy } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { limitReached } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { AchievementKey, NewAchievementKey } from '../path-parameters.ts';
import { WritesFromName } from '../players/verification.ts';
import { t } from '../schema.ts';
import { translationsOf } from '../translations.ts';
import { catalogueExample, IconUrl, Points } from './achievements.ts';
import { UnlockWhen } from './rules.ts';

const operation = operationsIn('Achievements (dashboard)');

const NAME = 'Name that players see.';
const Description = t.String('How to earn it.', { maxLength: 2_000 });

export const Fields = {
  name: t.NewName(NAME),
  description: Description,
  translations: translationsOf({
    name: t.Optional(t.NewName('Name in this language.')),
    description: t.Optional(Description),
  }),
  icon_url: IconUrl,
  points: Points,
  unlock_when: UnlockWhen,
  hidden: t.Boolean('Mask name and description until a player has unlocked it.'),
  writes_from: WritesFromName,
  position: t.Integer(
    'Place in the list, from 1. The achievements from this place on move one place; a place past the end means the end.',
    { minimum: 1 },
  ),
};

const optionalFields = {
  description: t.Optional(Fields.description),
  translations: t.Optional(Fields.translations),
  icon_url: t.Optional(Fields.icon_url),
  points: t.Optional(Fields.points),
  unlock_when: t.Optional(Fields.unlock_when),
  hidden: t.Optional(Fields.hidden),
  writes_from: t.Optional(Fields.writes_from),
  position: t.Optional(Fields.position),
};

export const Achievement = t.Resource('Achievement', {
  id: t.String('The same as `key`.'),
  key: AchievementKey,
  ...Fields,
  name: t.Name(NAME),
  archived: t.Boolean(
    'It is no longer in the catalogue. Players who have it keep it, and nobody can unlock it.',
  ),
  created_at: t.Timestamp('When it was made.'),
  updated_at: t.Timestamp('When it was last changed. Moving other achievements does not count.'),
});

const exampleAchievement = {
  id: catalogueExample.key,
  ...catalogueExample,
  translations: { de: { name: 'Erstes Blut', description: 'Gewinne deinen ersten Kampf' } },
  unlock_when: [],
  writes_from: 'anyone',
  position: 1,
  archived: false,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
};

const achievementNotFound = notFoundInGame('achievement');

export const listGameAchievements = operation('GET /v1/games/{game_id}/achievements', {
  access: 'viewer',
  summary: 'List all achievements of a game and count the players who have them',
  description:
    'By position, with archived and hidden achievements; nothing is masked. The counts are for one environment. The list has one page: `next_cursor` is always null.',
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
  access: 'developer',
  summary: 'Define an achievement',
  description: `The key cannot be changed later. Archived achievements count towards the limit of the game. Definitions are shared by the game's environments.`,
  body: t.Object({ key: NewAchievementKey, name: Fields.name, ...optionalFields }),
  example: {
    ...catalogueExample,
    translations: exampleAchievement.translations,
  },
  answers: {
    201: answer('It is defined.', Achievement, exampleAchievement),
    403: limitReached(
      'The role does not allow it, or the game has reached its limit.',
      'achievements',
    ),
    409: errorAnswer(
      'The key is taken, also by an archived achievement.',
      'An achievement with this key exists already',
    ),
  },
});

export const updateAchievement = operation('PATCH /v1/games/{game_id}/achievements/{key}', {
  access: 'developer',
  summary: 'Change, move, archive or restore an achievement',
  description:
    "Fields that are left out stay as they are; `translations` replaces all of them. `position` moves the achievement and keeps the order of the others; each of several moves at the same time takes effect. Changed points count at once in every player's total. `writes_from` takes effect on every server within a second.",
  body: t.Changes({
    name: Fields.name,
    ...optionalFields,
    archived: t.Boolean('True takes it out of the catalogue, false restores it.'),
  }),
  example: { points: 15, position: 3 },
  answers: {
    200: answer('It is changed.', Achievement, {
      ...exampleAchievement,
      points: 15,
      position: 3,
    }),
    404: achievementNotFound,
  },
});

export const deleteAchievement = operation('DELETE /v1/games/{game_id}/achievements/{key}', {
  access: 'developer',
  summary: 'Delete an achievement, or archive it when players have it',
  description:
    'If any player has it in either environment, it is archived instead, and these players keep it. `result` says which of the two happened. An achievement that the rewards of messages to many players, of schedules of messages or of boards give must be taken out of them first. Messages to one player are not asked: their other rewards are given.',
  answers: {
    200: answer(
      'It is deleted or archived.',
      t.Object({
        key: AchievementKey,
        result: t.Enum(['deleted', 'archived'], 'Whether it was deleted or archived.'),
      }),
      { key: 'first_blood', result: 'archived' },
    ),
    404: achievementNotFound,
    409: answer(
      'Rewards give the achievement; `used_by` names them.',
      ErrorWith({ used_by: UsedBy }),
      {
        error:
          'The achievement "first_blood" is used by the rewards of the board "Weekly": take it out of them first, or archive it',
        used_by: ['the rewards of the board "Weekly"'],
      },
    ),
  },
});
