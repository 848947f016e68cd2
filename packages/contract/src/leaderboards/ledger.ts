import { pageAnswer } from '../answers.ts';
import { EnvironmentPageQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { Season } from './leaderboards.ts';
import { BOARD_RULES } from './rules.ts';

const operation = operationsIn('Leaderboards (dashboard)');

export const ScoreBefore = t.Nullable(
  t.Number("The player's public score before; null without one."),
);
export const KeyUsed = t.String('Id of the API key of the submit.', { format: 'uuid' });
export const Verified = t.Boolean(
  'Whether a player token or a server key made the player certain.',
);
export const Network = t.String("The sender's network: an IPv4 address, or an IPv6 /64.");

export const SCORE_OUTCOMES = ['new', 'improved', 'kept', 'quarantined', 'refused'] as const;

const LedgerEntry = t.Resource('ScoreSubmit', {
  season: Season,
  score: t.Number('The score that was sent, also on a board that keeps the sum.'),
  score_before: ScoreBefore,
  outcome: t.Enum(
    SCORE_OUTCOMES,
    "`new`: the player's first entry; `improved`: a better one, or any that counts on a board that keeps the latest or the sum; `kept`: not better; or the submit broke a rule.",
  ),
  rule: t.Nullable(t.Enum(BOARD_RULES, 'The rule that the submit broke; null for none.')),
  submitted_at: t.Timestamp('When it was stored.'),
  key_id: KeyUsed,
  is_verified: Verified,
  network: Network,
});

export const listScoreSubmits = operation(
  'GET /v1/games/{game_id}/players/{player_id}/leaderboards/{board_name}/submits',
  {
    access: 'developer',
    summary: "Read a player's ledger on a board",
    description:
      'The submits of the player that the ledger has, the newest first. Refused submits of players without any score are not recorded.',
    query: EnvironmentPageQuery,
    answers: {
      200: pageAnswer('A page of submits.', 'submits', LedgerEntry, {
        season: 2,
        score: 48_250,
        score_before: 47_900,
        outcome: 'improved',
        rule: null,
        submitted_at: '2026-03-14T15:09:26.535Z',
        key_id: '7d0c7a62-55c2-4f0b-9f3c-0f2d3c9a7b11',
        is_verified: false,
        network: '203.0.113.7',
      }),
    },
  },
);
