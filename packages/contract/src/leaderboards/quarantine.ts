import { pageAnswer } from '../answers.ts';
import { EnvironmentPageQuery } from '../common.ts';
import { operationsIn } from '../operation.ts';
import { t } from '../schema.ts';
import { entryMembers, OfSeason, PlayerId } from './leaderboards.ts';
import { KeyUsed, Network, ScoreBefore, Verified } from './ledger.ts';
import { BoardRuleName } from './rules.ts';
import { boardNotFound, BoardParams } from './settings.ts';

const operation = operationsIn('Leaderboards (dashboard)');

const { player_name, score, metadata } = entryMembers;
const WaitingScore = t.Resource('WaitingScore', {
  player_id: PlayerId,
  player_name,
  score,
  metadata,
  score_before: ScoreBefore,
  rule: BoardRuleName,
  submitted_at: t.Timestamp('When the score was sent.'),
  key_id: KeyUsed,
  is_verified: Verified,
  network: Network,
});
const exampleWaiting = {
  player_id: 'player-1842',
  player_name: 'Ada',
  score: 9_999_999,
  metadata: { character: 'fox' },
  score_before: 48_250,
  rule: 'max_gain' as const,
  submitted_at: '2026-03-14T15:09:26.535Z',
  key_id: '7d0c7a62-55c2-4f0b-9f3c-0f2d3c9a7b11',
  is_verified: false,
  network: '203.0.113.7',
};

export const listWaitingScores = operation(
  'GET /v1/games/{game_id}/leaderboards/{board_name}/quarantine',
  {
    id: 'listWaitingScores',
    access: 'developer',
    summary: 'List the scores that wait for a decision',
    description:
      'Scores that broke a rule of a board that quarantines them. Those that have waited longest come first. Of each player the best one waits.',
    params: BoardParams,
    query: t.Object({ ...EnvironmentPageQuery.properties, season: OfSeason }),
    answers: {
      200: pageAnswer('A page of scores.', 'scores', WaitingScore, exampleWaiting),
      404: boardNotFound,
    },
  },
);
