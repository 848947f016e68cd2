import { answer, errorAnswer, ErrorWith } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import type { SuccessOf } from '../operation.ts';
import { t } from '../schema.ts';
import { playerConditions } from './player-conditions.ts';
import { exampleTime } from './players.ts';

const operation = operationsIn('Players (dashboard)');

const FoundPlayers = t.Object({ ...EnvironmentQuery.properties, ...playerConditions });
const tooSlow = errorAnswer(
  'The count took too long; or the server is overloaded, or the database is away.',
  'The search took longer than 5 seconds: narrow it, or search by the beginning of the id',
);

export const countPlayers = operation('GET /v1/games/{game_id}/player-count', {
  access: 'viewer',
  summary: 'Count the players of a search',
  description:
    'Counts all players who meet all conditions, which are those of `listPlayers`. Show this count to the person who is about to delete these players.',
  query: FoundPlayers,
  answers: {
    200: answer(
      'The count.',
      t.Object({
        player_count: t.Integer('Number of players who meet all conditions.'),
        first_seen_before: t.Timestamp(
          'The `first_seen_before` of the query, or else the time of the count. With it, players who are new after the count are not deleted.',
        ),
      }),
      { player_count: 98_214, first_seen_before: exampleTime },
    ),
    503: tooSlow,
  },
});

const PlayerDeletion = t.Resource('PlayerDeletion', {
  state: t.Enum(
    ['running', 'ended'],
    '`ended`: all players are deleted, or somebody has stopped the deletion.',
  ),
  player_count: t.Integer('Number of players who met the conditions at the start.'),
  deleted_count: t.Integer('Number of these that are deleted by now.'),
  begun_at: t.Timestamp('When it was begun.'),
  ended_at: t.Nullable(t.Timestamp('When it ended; null while it runs.')),
});

const exampleDeletion = {
  state: 'running',
  player_count: 98_214,
  deleted_count: 4_120,
  begun_at: exampleTime,
  ended_at: null,
};

export const deletePlayers = operation('POST /v1/games/{game_id}/player-deletion', {
  access: 'admin',
  summary: 'Delete all players of a search',
  description: [
    'Begins to delete all players who meet all conditions, which are those of `listPlayers`, with all their data in this environment, as `deletePlayer` does. This cannot be undone. Players who are first named after `first_seen_before` stay; without it, those who are first named after this call.',
    'The server deletes one player after the other in the background, and leaves the same time between two players for other work. A restart of the server does not end it. Players who do not meet the conditions any more when their turn comes stay, and so do players whose events of a merge still move. The audit log has one entry about all players; each of them is told to webhooks as `player.erased`. One deletion at a time runs in an environment.',
  ].join('\n\n'),
  query: FoundPlayers,
  body: t.Object({
    player_count: t.Integer(
      'The count that was confirmed. If more players meet the conditions, nothing is deleted.',
      { minimum: 0 },
    ),
  }),
  example: { player_count: 98_214 },
  answers: {
    201: answer('The deletion has begun.', PlayerDeletion, exampleDeletion),
    409: answer(
      'More players meet the conditions than were confirmed (`player_count` says how many), or a deletion runs.',
      ErrorWith({ player_count: t.Optional(t.Integer('Number of players who meet them now.')) }),
      { error: '98,215 players meet the conditions, more than 98,214', player_count: 98_215 },
    ),
    503: tooSlow,
  },
});

export const getPlayerDeletion = operation('GET /v1/games/{game_id}/player-deletion', {
  access: 'viewer',
  summary: 'Show how far a deletion of players is',
  description: 'The newest deletion of many players in this environment.',
  query: EnvironmentQuery,
  answers: {
    200: answer(
      'The deletion; null if there was none.',
      t.Object({ deletion: t.Nullable(PlayerDeletion) }),
      { deletion: exampleDeletion },
    ),
  },
});

export const stopPlayerDeletion = operation('DELETE /v1/games/{game_id}/player-deletion', {
  access: 'admin',
  summary: 'Stop a deletion of players',
  description: 'Players who are deleted already stay deleted.',
  query: EnvironmentQuery,
  answers: {
    204: { description: 'No further player is deleted.' },
    404: errorAnswer(
      'No deletion runs, or the account is no member of the game.',
      'No deletion of players runs',
    ),
  },
});

/** A deletion of many players, as answers show it. */
export type PlayerDeletion = NonNullable<SuccessOf<typeof getPlayerDeletion>['deletion']>;
