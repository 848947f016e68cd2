import { answer, badRequest, errorAnswer, pageAnswer } from '../answers.ts';
import { EnvironmentPageQuery, EnvironmentQuery, PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { entryMembers, OfSeason } from './leaderboards.ts';
import { boardNotFound } from './settings.ts';

/** The maximum number of waiting scores that one request accepts or removes. */
export const MAX_DECIDED_SCORES = 10_000;
/** The number of days for which a decision can be undone. A ban can be undone at any time. */
export const UNDO_DAYS = 30;

const DECISION_KINDS = ['accept', 'remove', 'quarantine', 'ban'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

const operation = operationsIn('Leaderboards (dashboard)');

/** The maximum number of scores that are shown with a decision. */
export const SHOWN_SCORES = 3;
const DecidedScores = t.Array(
  t.Object({
    player_id: PlayerId,
    player_name: entryMembers.player_name,
    score: entryMembers.score,
  }),
  { description: `The first scores that it decided or hid, at most ${SHOWN_SCORES}.` },
);
const exampleScores = [{ player_id: 'player-1842', player_name: 'Ada', score: 48_250 }];

const decisionMembers = {
  decided: t.Integer('Number of scores that were decided.'),
  scores: DecidedScores,
  waiting: t.Integer('Number of scores that still wait.'),
};

export const decideScores = operation(
  'POST /v1/games/{game_id}/leaderboards/{board_name}/quarantine/decisions',
  {
    access: 'developer',
    summary: 'Accept or remove scores that wait',
    description: [
      `\`accept\` makes scores public; one keeps its place among equal scores by when it was sent, and changes nothing if the player has a better one by now. \`remove\` takes them away. Up to ${MAX_DECIDED_SCORES.toLocaleString('en-US')} scores at once: those of \`player_ids\`, or else those that have waited longest.`,
      `They are decided a few at a time, so that submits go on. A decision can be undone for ${UNDO_DAYS} days.`,
    ].join('\n\n'),
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
      200: answer(
        'None of the scores waits, any more or at all: nothing was decided or stored.',
        t.Object({
          decision_id: t.Null({ description: 'There is no decision.' }),
          ...decisionMembers,
        }),
        { decision_id: null, decided: 0, scores: [], waiting: 3 },
      ),
      201: answer(
        'The decision.',
        t.Object({
          decision_id: t.String('Id of the decision, to undo it.', { format: 'uuid' }),
          ...decisionMembers,
        }),
        {
          decision_id: '0d9c1a52-35c2-4f0b-9f3c-0f2d3c9a7b11',
          decided: 1,
          scores: exampleScores,
          waiting: 0,
        },
      ),
      400: badRequest('decision must be one of accept, remove'),
      404: boardNotFound,
      409: errorAnswer(
        'Somebody has undone the decision before it was complete. The scores wait again.',
        'The decision was undone meanwhile',
      ),
    },
  },
);

/** The field of a request body that gives the reason for a decision. */
export const Reason = t.Optional(
  t.Nullable(t.String('The reason, for the members of the game.', { maxLength: 500 })),
);

export const Decision = t.Resource('LeaderboardDecision', {
  decision_id: t.String('Id of the decision.', { format: 'uuid' }),
  board_name: t.Nullable(t.String('The board; null for all boards.')),
  kind: t.Enum(
    DECISION_KINDS,
    'Scores were accepted or removed, a public score was made to wait, or a player was banned.',
  ),
  player_id: t.Nullable(
    t.String('The player who was banned or whose entry was taken off; null for other decisions.'),
  ),
  reason: t.Nullable(t.String('The reason that was given; null without one.')),
  score_count: t.Integer('Number of scores that it decided or hid.'),
  scores: DecidedScores,
  decided_by: t.Nullable(t.String('E-mail address of the account; null when it is gone.')),
  decided_at: t.Timestamp('When it was made.'),
  undone_at: t.Nullable(t.Timestamp('When it was undone; null if it was not.')),
});
export const exampleDecision = {
  decision_id: '0d9c1a52-35c2-4f0b-9f3c-0f2d3c9a7b11',
  board_name: 'high-scores',
  kind: 'ban' as const,
  player_id: 'player-1842',
  reason: 'Impossible times',
  score_count: 1,
  scores: exampleScores,
  decided_by: 'ada@studio.example',
  decided_at: '2026-03-14T15:09:26.535Z',
  undone_at: null,
};

export const listLeaderboardDecisions = operation(
  'GET /v1/games/{game_id}/leaderboards/{board_name}/decisions',
  {
    access: 'developer',
    summary: 'List decisions about a board',
    description: `Decisions about scores and bans, also from all boards, the newest first. Decisions are listed for ${UNDO_DAYS} days, bans until they are undone, and scores that were made to wait as long as they wait.`,
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
    access: 'developer',
    summary: 'Undo a decision about scores, or a ban',
    description:
      'Accepted scores wait again, and the entries that they replaced are public again. Removed and banned scores are as they were. A score is skipped for good if its player has reached another one since, or is banned. An entry that was made to wait is public again; it is skipped if it no longer waits.',
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
