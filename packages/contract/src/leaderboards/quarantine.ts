import { answer, errorAnswer, pageAnswer } from '../answers.ts';
import { EnvironmentPageQuery, EnvironmentQuery, GameId, PlayerParams } from '../common.ts';
import { operationsIn } from '../operation.ts';
import { t } from '../schema.ts';
import { BoardName, entryMembers, OfSeason, PlayerId, Season } from './leaderboards.ts';
import { BOARD_RULES, BoardRuleName } from './rules.ts';
import { boardNotFound, BoardParams } from './settings.ts';

/** Most scores that one request decides. */
export const MAX_DECIDED_SCORES = 10_000;
/** Days for which a decision can be undone. A ban can be undone at any time. */
export const UNDO_DAYS = 30;

const DECISION_KINDS = ['accept', 'remove', 'ban'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

const operation = operationsIn('Leaderboards (dashboard)');

const { player_name, score, metadata } = entryMembers;
const ScoreBefore = t.Nullable(t.Number("The player's public score before; null without one."));
const KeyUsed = t.String('Id of the API key of the submit.', { format: 'uuid' });
const Verified = t.Boolean('Whether a player token or a server key made the player certain.');
const Network = t.String("The sender's network: an IPv4 address, or an IPv6 /64.");

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

export const decideScores = operation(
  'POST /v1/games/{game_id}/leaderboards/{board_name}/quarantine/decisions',
  {
    id: 'decideScores',
    access: 'developer',
    summary: 'Accept or remove scores that wait',
    description: [
      `\`accept\` makes scores public; one keeps its place among equal scores by when it was sent, and changes nothing if the player has a better one by now. \`remove\` takes them away. Up to ${MAX_DECIDED_SCORES.toLocaleString('en-US')} scores at once: those of \`player_ids\`, or else those that have waited longest.`,
      `They are decided a few at a time, so that submits go on. A decision can be undone for ${UNDO_DAYS} days.`,
    ].join('\n\n'),
    params: BoardParams,
    query: EnvironmentQuery,
    body: t.Object({
      decision: t.Enum(['accept', 'remove'], 'The decision.'),
      player_ids: t.Optional(
        t.Array(PlayerId, {
          minItems: 1,
          maxItems: MAX_DECIDED_SCORES,
          description: 'The players; all that wait when it is left out.',
        }),
      ),
      season: OfSeason,
    }),
    example: { decision: 'accept', player_ids: ['player-1842'] },
    answers: {
      201: answer(
        'The decision.',
        t.Object({
          decision_id: t.String('Id of the decision, to undo it.', { format: 'uuid' }),
          decided: t.Integer('Number of scores that were decided.'),
          waiting: t.Integer('Number of scores that still wait.'),
        }),
        { decision_id: '0d9c1a52-35c2-4f0b-9f3c-0f2d3c9a7b11', decided: 1, waiting: 0 },
      ),
      400: errorAnswer(
        'A field is missing or invalid; `error` names it.',
        'decision must be one of accept, remove',
      ),
      404: boardNotFound,
      409: errorAnswer(
        'Somebody has undone the decision before it was complete. The scores wait again.',
        'The decision was undone meanwhile',
      ),
    },
  },
);

const Decision = t.Resource('LeaderboardDecision', {
  decision_id: t.String('Id of the decision.', { format: 'uuid' }),
  board_name: t.Nullable(t.String('The board; null for all boards.')),
  kind: t.Enum(DECISION_KINDS, 'Scores were accepted or removed, or a player was banned.'),
  player_id: t.Nullable(t.String('The banned player; null for other decisions.')),
  reason: t.Nullable(t.String('The reason that was given for a ban.')),
  score_count: t.Integer('Number of scores that it decided or hid.'),
  decided_by: t.Nullable(t.String('E-mail address of the account; null when it is gone.')),
  decided_at: t.Timestamp('When it was made.'),
  undone_at: t.Nullable(t.Timestamp('When it was undone; null if it was not.')),
});
const exampleDecision = {
  decision_id: '0d9c1a52-35c2-4f0b-9f3c-0f2d3c9a7b11',
  board_name: 'high-scores',
  kind: 'ban' as const,
  player_id: 'player-1842',
  reason: 'Impossible times',
  score_count: 1,
  decided_by: 'ada@studio.example',
  decided_at: '2026-03-14T15:09:26.535Z',
  undone_at: null,
};

export const listLeaderboardDecisions = operation(
  'GET /v1/games/{game_id}/leaderboards/{board_name}/decisions',
  {
    id: 'listLeaderboardDecisions',
    access: 'developer',
    summary: 'List decisions about a board',
    description: `Decisions about scores and bans, also from all boards, the newest first. Decisions are listed for ${UNDO_DAYS} days, bans until they are undone.`,
    params: BoardParams,
    query: EnvironmentPageQuery,
    answers: {
      200: pageAnswer('A page of decisions.', 'decisions', Decision, exampleDecision),
      404: boardNotFound,
    },
  },
);

export const undoLeaderboardDecision = operation(
  'POST /v1/games/{game_id}/leaderboard-decisions/{decision_id}/undo',
  {
    id: 'undoLeaderboardDecision',
    access: 'developer',
    summary: 'Undo a decision about scores, or a ban',
    description:
      'Accepted scores wait again, and the entries that they replaced are public again. Removed and banned scores are as they were. A score is skipped for good if its player has reached another one since, or is banned.',
    params: t.Object({
      game_id: GameId,
      decision_id: t.String('Id of the decision.', { format: 'uuid' }),
    }),
    answers: {
      200: answer(
        'The decision is undone.',
        t.Object({
          restored: t.Integer('Number of scores that are as before.'),
          skipped: t.Integer('Number of scores that were skipped.'),
        }),
        { restored: 1, skipped: 0 },
      ),
      404: errorAnswer(
        'There is no such decision, or the account is no member of the game.',
        'Decision not found',
      ),
      409: errorAnswer('It is undone already.', 'The decision is undone already'),
    },
  },
);

export const banLeaderboardPlayer = operation(
  'POST /v1/games/{game_id}/players/{player_id}/leaderboard-bans',
  {
    id: 'banLeaderboardPlayer',
    access: 'developer',
    summary: 'Ban a player from a board or from all boards',
    description:
      "The player's scores of all seasons are hidden, and submits are answered 403 with the code `PLAYER_BANNED`. Undo the decision to end the ban.",
    params: PlayerParams,
    query: EnvironmentQuery,
    body: t.Object({
      board_name: t.Optional(t.Nullable(BoardName)),
      reason: t.Optional(
        t.Nullable(t.String('The reason, for the members of the game.', { maxLength: 500 })),
      ),
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
    id: 'listLeaderboardBans',
    access: 'viewer',
    summary: "List a player's bans from boards",
    description: 'The bans that are in force.',
    params: PlayerParams,
    query: EnvironmentQuery,
    answers: {
      200: answer('The bans.', t.Object({ bans: t.Array(Decision) }), { bans: [exampleDecision] }),
    },
  },
);

const OUTCOMES = ['new', 'improved', 'kept', 'quarantined', 'refused'] as const;

const LedgerEntry = t.Resource('ScoreSubmit', {
  season: Season,
  score,
  score_before: ScoreBefore,
  outcome: t.Enum(
    OUTCOMES,
    "`new`: the player's first entry; `improved`: a better one; `kept`: not better; or the submit broke a rule.",
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
    id: 'listScoreSubmits',
    access: 'developer',
    summary: "Read a player's ledger on a board",
    description:
      'The submits of the player that the ledger has, the newest first. Refused submits of players without any score are not recorded.',
    params: t.Object({ ...PlayerParams.properties, board_name: BoardName }),
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
