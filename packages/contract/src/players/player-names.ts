import { answer } from '../answers.ts';
import { EnvironmentQuery, PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { MAX_NAMED_PLAYERS, MAX_PLAYER_NAME_LENGTH } from './name-limits.ts';
import { examplePlayer } from './players.ts';

const operation = operationsIn('Players (dashboard)');

export const PlayerName = t.Nullable(
  t.String(
    `Name of the player: the text of the property that the game's \`player_name_property\` names, without spaces at its ends and cut to ${MAX_PLAYER_NAME_LENGTH} characters; null if there is none.`,
  ),
);

export const exampleListed = { ...examplePlayer, name: 'Ada' };

export const getPlayerNames = operation('GET /v1/games/{game_id}/player-names', {
  access: 'viewer',
  summary: 'Show where the names of players come from',
  description:
    'The property that holds the names of players, properties that could, and the progress of the search index. `player_name_property` of the game sets the property.',
  query: EnvironmentQuery,
  answers: {
    200: answer(
      'The names of players.',
      t.Object({
        player_name_property: t.Nullable(t.String('The property; null if players have no names.')),
        suggestions: t.Array(
          t.Object({
            property: t.String('Property with short texts.'),
            share: t.Number('Share of the newest 200 players who have it, from 0 to 1.'),
            example: t.String('The text of one of them.'),
          }),
          { description: 'At most ten properties, the likeliest first.' },
        ),
        indexing: t.Nullable(
          t.Object(
            { players_read: t.Integer('Players of this environment that were read so far.') },
            {
              description:
                'The search index is being built, and searches take longer meanwhile; null when it is complete.',
            },
          ),
        ),
      }),
      {
        player_name_property: null,
        suggestions: [{ property: 'display_name', share: 0.94, example: 'Ada' }],
        indexing: null,
      },
    ),
  },
});

export const listPlayerNames = operation('POST /v1/games/{game_id}/player-names', {
  access: 'viewer',
  summary: 'Look up the names of players',
  description:
    'For lists that name players by id, such as events and boards. Changes nothing. Players without a name, and ids without a player, are left out.',
  query: EnvironmentQuery,
  body: t.Object({
    player_ids: t.Array(PlayerId, { minItems: 1, maxItems: MAX_NAMED_PLAYERS }),
  }),
  example: { player_ids: ['player-42'] },
  answers: {
    200: answer(
      'The names.',
      t.Object({
        players: t.Array(t.Object({ player_id: PlayerId, name: t.String('Name of the player.') }), {
          description: 'In no order.',
        }),
      }),
      { players: [{ player_id: 'player-42', name: 'Ada' }] },
    ),
  },
});
