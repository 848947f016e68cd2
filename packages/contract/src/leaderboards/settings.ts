import { answer, badRequest, errorAnswer, pageAnswer } from '../answers.ts';
import { EnvironmentPageQuery, EnvironmentQuery, GameId, IfNoneMatch } from '../common.ts';
import { limitReached, limitUseMembers } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { BoardName, NewBoardName } from '../path-parameters.ts';
import { t } from '../schema.ts';
import { exampleKept, keptMembers, keptSettings } from './kept-scores.ts';
import { Season, TotalEntries } from './leaderboards.ts';
import { SeasonRewards } from './reward-fields.ts';
import { exampleRules, ruleMembers, ruleSettings } from './rules.ts';

export const SORT_ORDERS = ['descending', 'ascending'] as const;
/** `descending` ranks the highest score first, `ascending` the lowest. */
export type SortOrder = (typeof SORT_ORDERS)[number];

const RESET_SCHEDULES = ['none', 'daily', 'weekly', 'monthly'] as const;
/** The interval at which new seasons begin by themselves, at midnight in the time zone of the game. */
export type ResetSchedule = (typeof RESET_SCHEDULES)[number];
const operation = operationsIn('Leaderboards (dashboard)');

export const Order = (description: string) => t.Enum(SORT_ORDERS, description);
const RESETS =
  "Schedule by which new seasons begin: at midnight in the game's time zone, every day, on Mondays or on the first of the month.";
const settingMembers = {
  order: Order('Whether the highest score (`descending`) or the lowest (`ascending`) ranks first.'),
  ...keptMembers,
  reset_schedule: t.Enum(RESET_SCHEDULES, RESETS),
  min_score: t.Nullable(t.Number('Lowest score that is accepted.')),
  max_score: t.Nullable(t.Number('Highest score that is accepted.')),
  season_rewards: SeasonRewards,
  ...ruleMembers,
};
const Settings = t.Resource('LeaderboardSettings', {
  board_name: BoardName,
  ...settingMembers,
  created_at: t.Timestamp('When the board was made, with its settings or with its first score.'),
  updated_at: t.Timestamp('When its settings were last changed.'),
});
export const EndsAt = t.Nullable(
  t.Timestamp('When the schedule ends the season; null for a board that is only reset by hand.'),
);
export const StartedAt = t.Timestamp('When the season began.');
const Board = t.Object({
  ...Settings.properties,
  season: Season,
  total_entries: TotalEntries,
  started_at: t.Nullable(t.Timestamp('When the season began; null before the first score.')),
  ends_at: EndsAt,
});

const ListedBoard = t.Object({
  ...Board.properties,
  waiting_scores: t.Integer('Number of scores of the season that wait for a decision.'),
});

const BoardDetails = t.Object({
  ...ListedBoard.properties,
  ledger_rows: t.Object(limitUseMembers, {
    description: 'Submits in the ledgers of all boards of the game, and the limit of its tier.',
  }),
});

const exampleSeasonRewards = [
  {
    top_percent: 10,
    title: 'You were among the best',
    text: 'Here are 50 coins.',
    rewards: [{ type: 'item', key: 'coins', quantity: 50 }],
  },
];
const exampleSettings = {
  board_name: 'high-scores',
  order: 'descending',
  ...exampleKept,
  reset_schedule: 'weekly',
  min_score: 0,
  max_score: 1_000_000,
  season_rewards: exampleSeasonRewards,
  ...exampleRules,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-02T10:30:00.000Z',
};
const exampleBoard = {
  ...exampleSettings,
  season: 2,
  total_entries: 2_000,
  started_at: '2026-03-09T00:00:00.000Z',
  ends_at: '2026-03-16T00:00:00.000Z',
};

const exampleListed = { ...exampleBoard, waiting_scores: 3 };

export const entryNotFound = errorAnswer(
  'The player has no entry in that season, there is no such board, or the account is no member of the game.',
  'Entry not found',
);
export const boardNotFound = errorAnswer(
  'The game has no such board, or the account is no member of the game.',
  'Leaderboard not found',
);

export const listLeaderboards = operation('GET /v1/games/{game_id}/leaderboards', {
  access: 'viewer',
  summary: 'List the boards of a game',
  description:
    'By name, with their settings, which both environments share, and the current season of one environment.',
  query: EnvironmentPageQuery,
  answers: {
    200: pageAnswer('A page of boards.', 'leaderboards', ListedBoard, exampleListed),
  },
});

export const getLeaderboardSettings = operation(
  'GET /v1/games/{game_id}/leaderboards/{board_name}',
  {
    access: 'viewer',
    summary: 'Read the settings and the current season of a board',
    description: 'Both environments share the settings; the season belongs to one of them.',
    query: EnvironmentQuery,
    answers: {
      200: answer('The board.', BoardDetails, {
        ...exampleListed,
        ledger_rows: { used: 310_442, limit: 1_000_000 },
      }),
      404: boardNotFound,
    },
  },
);

export const putLeaderboard = operation('PUT /v1/games/{game_id}/leaderboards/{board_name}', {
  access: 'developer',
  params: t.Object({ game_id: GameId, board_name: NewBoardName }),
  summary: 'Make a board, or change its settings',
  description: [
    'Replaces all settings in both environments; settings that are left out return to their defaults. Entries outside new bounds are kept. A changed `order` ranks the current season anew at once; past seasons keep the order in which they were played. A changed `keeps` or `tie_break` holds from the next season on, or at once if the current season has no score yet.',
    'A changed `reset_schedule` ends the current season at the next boundary of the new schedule.',
    'Members that are no settings are ignored, so that an answer can be changed and sent back. One that looks like a setting under a wrong name, such as `maxGain` or `rules`, is answered 400 with the right name.',
  ].join('\n\n'),
  headers: IfNoneMatch('board of this name'),
  body: t.Object({
    order: t.Enum(
      SORT_ORDERS,
      'Whether the highest score (`descending`) or the lowest ranks first.',
      { default: 'descending' },
    ),
    ...keptSettings,
    reset_schedule: t.Enum(RESET_SCHEDULES, RESETS, { default: 'none' }),
    min_score: t.Optional(settingMembers.min_score),
    max_score: t.Optional(settingMembers.max_score),
    season_rewards: t.Optional(SeasonRewards),
    ...ruleSettings,
  }),
  example: {
    order: 'descending',
    ...exampleKept,
    reset_schedule: 'weekly',
    min_score: 0,
    max_score: 1_000_000,
    season_rewards: exampleSeasonRewards,
    ...exampleRules,
  },
  answers: {
    200: answer('The settings.', Settings, exampleSettings),
    400: badRequest('max_score must not be less than min_score'),
    403: limitReached(
      'The role does not allow it, or the game has reached its limit of boards.',
      'leaderboards',
    ),
    409: errorAnswer(
      '`If-None-Match: *` was sent, and the board exists; nothing was changed.',
      'board_name is taken: the board exists already',
    ),
  },
});

export const deleteLeaderboard = operation('DELETE /v1/games/{game_id}/leaderboards/{board_name}', {
  access: 'admin',
  summary: 'Delete a board with all its entries',
  description:
    'In both environments, with all past seasons. A later submit makes the board anew, without its settings.',
  answers: {
    204: { description: 'The board is deleted.' },
    404: boardNotFound,
  },
});
