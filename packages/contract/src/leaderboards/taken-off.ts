import { answer, badRequest, errorAnswer } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { Decision, exampleDecision, Reason } from './decisions.ts';
import { OfSeason } from './leaderboards.ts';
import { entryNotFound } from './settings.ts';

const operation = operationsIn('Leaderboards (dashboard)');

const TAKEN_OFF_STATES = ['waiting', 'removed'] as const;
/** The state of a score that was taken off its board. */
export type TakenOffState = (typeof TAKEN_OFF_STATES)[number];

export const takeOffEntry = operation(
  'POST /v1/games/{game_id}/leaderboards/{board_name}/entries/{player_id}/quarantine',
  {
    access: 'developer',
    summary: "Take a player's entry off a board, with a reason",
    description:
      'The entries behind it move up. `waiting`: its player sees it, the public board does not, until somebody accepts or removes it. `removed`: nobody sees it. The player may submit again. The decision can be undone. On a board that keeps the latest score or the sum, no score can wait.',
    query: EnvironmentQuery,
    body: t.Object({
      state: t.Enum(TAKEN_OFF_STATES, 'The state of the score from now on.'),
      reason: Reason,
      season: OfSeason,
    }),
    example: { state: 'waiting', reason: 'Impossible times' },
    answers: {
      201: answer('The decision.', Decision, { ...exampleDecision, kind: 'quarantine' }),
      400: badRequest(
        'state must be removed on a board that keeps the sum: a later score would count before one that waits',
      ),
      404: entryNotFound,
      409: errorAnswer(
        'With `waiting`: another score of the player waits in that season, and has to be decided first.',
        'Another score of the player waits already: accept or remove that one first',
      ),
    },
  },
);
