import { answer, errorAnswer } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { BoardName } from '../path-parameters.ts';
import { t } from '../schema.ts';
import { Decision, exampleDecision, Reason } from './decisions.ts';

const operation = operationsIn('Leaderboards (dashboard)');

export const banLeaderboardPlayer = operation(
  'POST /v1/games/{game_id}/players/{player_id}/leaderboard-bans',
  {
    access: 'developer',
    summary: 'Ban a player from a board or from all boards',
    description:
      "The player's scores of all seasons are hidden, and submits are answered 403 with the code `PLAYER_BANNED`. Undo the decision to end the ban.",
    query: EnvironmentQuery,
    body: t.Object({
      board_name: t.Optional(t.Nullable(BoardName)),
      reason: Reason,
    }),
    example: { board_name: 'high-scores', reason: 'Impossible times' },
    answers: {
      201: answer('The ban.', Decision, exampleDecision),
      404: errorAnswer(
        'There is no such player or board, or the account is no member of the game.',
        'Player not found',
      ),
      409: errorAnswer('The player is banned there already.', 'The player is banned already'),
    },
  },
);

export const listLeaderboardBans = operation(
  'GET /v1/games/{game_id}/players/{player_id}/leaderboard-bans',
  {
    access: 'viewer',
    summary: "List a player's bans from boards",
    description: 'The bans that are in force.',
    query: EnvironmentQuery,
    answers: {
      200: answer('The bans.', t.Object({ bans: t.Array(Decision) }), { bans: [exampleDecision] }),
    },
  },
);
