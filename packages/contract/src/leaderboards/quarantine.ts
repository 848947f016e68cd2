import { answer, pageAnswer } from '../answers.ts';
import { EnvironmentPageQuery, EnvironmentQuery, PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { BoardName } from '../path-parameters.ts';
import { t } from '../schema.ts';
import { entryMembers, OfSeason, Season } from './leaderboards.ts';
import { KeyUsed, Network, ScoreBefore, Verified } from './ledger.ts';
import { HOLD_REASONS } from './rules.ts';
import { boardNotFound } from './settings.ts';

const operation = operationsIn('Leaderboards (dashboard)');

const { player_name, score, metadata } = entryMembers;
const waitingMembers = {
  player_id: PlayerId,
  player_name,
  score,
  metadata,
  score_before: ScoreBefore,
  rule: t.Enum(
    HOLD_REASONS,
    'The rule that the score breaks; `by_hand`: a member of the game took it off the board. Of such a score, `key_id`, `is_verified` and `network` are null.',
  ),
  reason: t.Nullable(t.String('The reason that the member gave; null without one.')),
  submitted_at: t.Timestamp('When the score was sent.'),
  key_id: t.Nullable(KeyUsed),
  is_verified: t.Nullable(Verified),
  network: t.Nullable(Network),
};
const WaitingScore = t.Resource('WaitingScore', waitingMembers);
const exampleWaiting = {
  player_id: 'player-1842',
  player_name: 'Ada',
  score: 9_999_999,
  metadata: { character: 'fox' },
  score_before: 48_250,
  rule: 'max_gain' as const,
  reason: null,
  submitted_at: '2026-03-14T15:09:26.535Z',
  key_id: '7d0c7a62-55c2-4f0b-9f3c-0f2d3c9a7b11',
  is_verified: false,
  network: '203.0.113.7',
};

export const listWaitingScores = operation(
  'GET /v1/games/{game_id}/leaderboards/{board_name}/quarantine',
  {
    access: 'developer',
    summary: 'List the scores that wait for a decision',
    description:
      'Scores that broke a rule of a board that quarantines them, and scores that members took off the board. Those that have waited longest come first. Of each player the best one waits.',
    query: t.Object({ ...EnvironmentPageQuery.properties, season: OfSeason }),
    answers: {
      200: pageAnswer('A page of scores.', 'scores', WaitingScore, exampleWaiting),
      404: boardNotFound,
    },
  },
);

/** The maximum number of scores in the list of a player's scores that wait for a decision of the studio. */
export const MAX_WAITING_OF_PLAYER = 200;

const WaitingOfPlayer = t.Resource('PlayerWaitingScore', {
  board_name: BoardName,
  season: Season,
  ...waitingMembers,
});

export const listPlayerWaitingScores = operation(
  'GET /v1/games/{game_id}/players/{player_id}/waiting-scores',
  {
    access: 'developer',
    summary: "List a player's scores that wait for a decision",
    description: `On all boards and in all seasons, the newest ${MAX_WAITING_OF_PLAYER}; of each season the best one waits. A player without any gets an empty list.`,
    query: EnvironmentQuery,
    answers: {
      200: answer(
        'The scores.',
        t.Object({
          scores: t.Array(WaitingOfPlayer),
          next_cursor: t.Null({ description: 'Always null: the list has one page.' }),
        }),
        {
          scores: [{ board_name: 'high-scores', season: 2, ...exampleWaiting }],
          next_cursor: null,
        },
      ),
    },
  },
);
