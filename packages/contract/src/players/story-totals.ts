import { answer, notFoundInGame, totalMembers } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { STORY_KINDS } from './story-kinds.ts';

const operation = operationsIn('Players (dashboard)');

/** Entries of each kind are counted up to this number, so that a count stays cheap. */
export const MAX_COUNTED_ENTRIES = 1_000;

export const getPlayerStoryTotals = operation(
  'GET /v1/games/{game_id}/players/{player_id}/story/totals',
  {
    access: 'viewer',
    summary: 'Count the entries of a story',
    description:
      'Says how many entries of each kind the story of a player has. Changes by staff, submits and waiting scores are counted for developers and above.',
    query: EnvironmentQuery,
    answers: {
      200: answer(
        'The number of entries of each kind.',
        t.Object({
          totals: t.Array(
            t.Object({
              kind: t.Enum(STORY_KINDS, 'The kind of the entries.'),
              ...totalMembers(MAX_COUNTED_ENTRIES),
            }),
          ),
        }),
        {
          totals: [
            { kind: 'login', count: 3, is_exact: true },
            { kind: 'event', count: MAX_COUNTED_ENTRIES, is_exact: false },
          ],
        },
      ),
      404: notFoundInGame('player'),
    },
  },
);
