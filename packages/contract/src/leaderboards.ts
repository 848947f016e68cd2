import { Type } from 'typebox';
import {
  EnvironmentQuery,
  errorAnswer,
  ErrorBody,
  GameId,
  JsonObject,
  merge,
  Name,
  Nullable,
  PageOf,
  PageQuery,
  Resource,
  Timestamp,
} from './common.ts';
import { defineOperation } from './operation.ts';

/** Most entries in one page of a board. */
export const MAX_PAGE_SIZE = 100;
/** Entries to each side of a player in `around`. */
export const NEIGHBOURS = 5;
/** Largest metadata of an entry, in bytes of UTF-8 as it was sent. */
export const MAX_METADATA_BYTES = 8 * 1024;

export const SORT_ORDERS = ['descending', 'ascending'] as const;
/** Which score ranks first: the highest (`descending`) or the lowest (`ascending`). */
export type SortOrder = (typeof SORT_ORDERS)[number];

export const RESET_SCHEDULES = ['none', 'daily', 'weekly', 'monthly'] as const;
/** When a new season begins by itself, at midnight in the game's time zone. */
export type ResetSchedule = (typeof RESET_SCHEDULES)[number];

const group = 'Leaderboards';
const dashboardGroup = 'Leaderboards (dashboard)';

const BoardName = Name('Names the board within its game.');
const PlayerId = Name('Id of the player, given by the game.');
const SeasonNumber = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, description });
const Season = SeasonNumber('Number of the season: 1, 2, 3….');
const Score = Type.Number({ description: 'The score: any finite double.' });
const TotalEntries = Type.Integer({ description: 'Number of entries of the season.' });

const entryMembers = {
  rank: Type.Integer({
    description:
      'Position in the board, 1 is first. Of equal scores the one that was reached first ranks higher, so positions are unique.',
  }),
  player_id: PlayerId,
  player_name: Nullable(Type.String({ description: 'Display name; null when none was sent.' })),
  score: Score,
  metadata: Nullable(
    JsonObject('What was sent with the score, with the text it was sent with; null when nothing.'),
  ),
  updated_at: Timestamp('When the score was reached.'),
};
const Entry = Resource('LeaderboardEntry', entryMembers);

const exampleEntry = {
  rank: 1,
  player_id: 'player-1842',
  player_name: 'Ada',
  score: 48_250,
  metadata: { character: 'fox' },
  updated_at: '2026-03-14T15:09:26.535Z',
};
const secondEntry = {
  ...exampleEntry,
  rank: 2,
  player_id: 'player-7',
  player_name: null,
  score: 47_900,
  metadata: null,
};

const SubmittedEntry = Resource('SubmittedScore', {
  board_name: BoardName,
  ...entryMembers,
  updated: Type.Boolean({ description: 'Whether this submit changed the entry.' }),
  total_entries: TotalEntries,
});
const exampleSubmitted = {
  board_name: 'high-scores',
  ...exampleEntry,
  updated: true,
  total_entries: 2_000,
};

export const submitScore = defineOperation({
  id: 'submitScore',
  method: 'POST',
  path: '/v1/leaderboards',
  access: 'key',
  group,
  summary: 'Submit a score',
  description: [
    'Each player has one entry on a board: the best score. A better score (higher, or lower on an ascending board) replaces it, and with it `player_name` and `metadata` where they are sent; what is left out is kept. A score that is not better changes nothing. The answer is always the stored entry with its exact rank.',
    'A board exists from its first submit; order, bounds and resets are set in the dashboard, before or after. Boards are separate in each environment.',
    `\`metadata\` may have ${MAX_METADATA_BYTES / 1024} KB and comes back with the text it was sent with.`,
  ].join('\n\n'),
  body: Type.Object({
    board_name: BoardName,
    player_id: PlayerId,
    score: Score,
    player_name: Type.Optional(
      Type.String({ maxLength: 255, description: 'Display name, up to 255 characters.' }),
    ),
    metadata: Type.Optional(JsonObject('Any JSON object, kept with the score.')),
  }),
  body_validation: 'handler',
  example: {
    board_name: 'high-scores',
    player_id: 'player-1842',
    score: 48_250,
    player_name: 'Ada',
    metadata: { character: 'fox' },
  },
  answers: {
    200: {
      description: 'The player already had an entry: this is what is stored now.',
      body: SubmittedEntry,
      example: { ...exampleSubmitted, updated: false },
    },
    201: {
      description: 'The entry is new.',
      body: SubmittedEntry,
      example: exampleSubmitted,
    },
    400: errorAnswer(
      'A field is missing or invalid, or the score is outside the bounds of the board; `error` names the field.',
      'score must be at most 1000000 on this board',
    ),
    413: {
      description: `\`metadata\` exceeds ${MAX_METADATA_BYTES / 1024} KB, with its size and the limit; nothing was changed. Or the body is too large.`,
      body: ErrorBody,
      example: {
        error: `metadata exceeds ${MAX_METADATA_BYTES / 1024}KB limit`,
        size_bytes: 9_120,
        limit_bytes: MAX_METADATA_BYTES,
      },
    },
  },
});

const Offset = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
  description: 'Number of entries to skip.',
});
const PageSize = Type.Integer({
  minimum: 1,
  maximum: MAX_PAGE_SIZE,
  default: 50,
  description: `Most entries in the answer, 1 to ${MAX_PAGE_SIZE}.`,
});
const OfSeason = Type.Optional(SeasonNumber('A past season; the current one when left out.'));

const pageMembers = {
  board_name: BoardName,
  season: Season,
  total_entries: TotalEntries,
  entries: Type.Array(Entry, { description: 'Entries in order of rank.' }),
};
const examplePage = {
  board_name: 'high-scores',
  season: 1,
  total_entries: 2_000,
  entries: [exampleEntry, secondEntry],
};

export const getLeaderboard = defineOperation({
  id: 'getLeaderboard',
  method: 'GET',
  path: '/v1/leaderboards/{board_name}',
  access: 'key',
  group,
  summary: 'Read a page of a board',
  description: `Entries in order of rank. With \`player_id\` the answer also holds that player's entry and its neighbours, ${NEIGHBOURS} to each side. All of an answer is of one moment, after every submit that was answered before the request. A board or season that does not exist lists as empty.`,
  params: Type.Object({ board_name: BoardName }),
  query: Type.Object({
    limit: PageSize,
    offset: Offset,
    player_id: Type.Optional(PlayerId),
    season: OfSeason,
  }),
  answers: {
    200: {
      description: 'The page.',
      body: Type.Object({
        ...pageMembers,
        player: Type.Optional(
          Type.Union([Entry, Type.Null()], {
            description: 'Entry of the player asked for, null without one; only with `player_id`.',
          }),
        ),
        around: Type.Optional(
          Type.Array(Entry, {
            description: `Entry of the player asked for and up to ${NEIGHBOURS} to each side, in order of rank; only with \`player_id\`.`,
          }),
        ),
      }),
      example: { ...examplePage, player: secondEntry, around: [exampleEntry, secondEntry] },
    },
    400: errorAnswer('limit, offset or another field is invalid.', 'limit must be at most 100'),
  },
});

const Order = (description: string) => Type.Enum([...SORT_ORDERS], { description });
const RESETS =
  "When a new season begins by itself: at midnight in the game's time zone, of every day, of Mondays, or of the first of the month.";
const settingMembers = {
  order: Order('Whether the highest score (`descending`) or the lowest (`ascending`) ranks first.'),
  reset_schedule: Type.Enum([...RESET_SCHEDULES], { description: RESETS }),
  min_score: Nullable(Type.Number({ description: 'Lowest score that is accepted.' })),
  max_score: Nullable(Type.Number({ description: 'Highest score that is accepted.' })),
};
const Settings = Resource('LeaderboardSettings', {
  board_name: BoardName,
  ...settingMembers,
  created_at: Timestamp('When the board was made, by its settings or by its first score.'),
  updated_at: Timestamp('When its settings were last changed.'),
});
const EndsAt = Nullable(
  Timestamp('When its schedule ends the season; null for a board that is reset by hand alone.'),
);
const StartedAt = Timestamp('When the season began.');
const Board = merge(
  Settings,
  Type.Object({
    season: Season,
    total_entries: TotalEntries,
    started_at: Nullable(Timestamp('When the season began; null before the first score.')),
    ends_at: EndsAt,
  }),
);

const exampleSettings = {
  board_name: 'high-scores',
  order: 'descending',
  reset_schedule: 'weekly',
  min_score: 0,
  max_score: 1_000_000,
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

const GameParams = Type.Object({ game_id: GameId });
const BoardParams = Type.Object({ game_id: GameId, board_name: BoardName });
const boardOrGameNotFound = errorAnswer(
  'The game has no such board, or the account is no member of the game.',
  'Leaderboard not found',
);

export const listLeaderboards = defineOperation({
  id: 'listLeaderboards',
  method: 'GET',
  path: '/v1/games/{game_id}/leaderboards',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'List the boards of a game',
  description:
    'With their settings, which both environments share, and the current season of one environment; by name.',
  params: GameParams,
  query: merge(EnvironmentQuery, PageQuery),
  answers: {
    200: {
      description: 'A page of boards.',
      body: PageOf('leaderboards', Board),
      example: { leaderboards: [exampleBoard], next_cursor: null },
    },
  },
});

export const getLeaderboardSettings = defineOperation({
  id: 'getLeaderboardSettings',
  method: 'GET',
  path: '/v1/games/{game_id}/leaderboards/{board_name}',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'Read the settings and the current season of a board',
  description: 'Settings are shared by both environments, the season is that of one.',
  params: BoardParams,
  query: EnvironmentQuery,
  answers: {
    200: { description: 'The board.', body: Board, example: exampleBoard },
    404: boardOrGameNotFound,
  },
});

export const putLeaderboard = defineOperation({
  id: 'putLeaderboard',
  method: 'PUT',
  path: '/v1/games/{game_id}/leaderboards/{board_name}',
  access: 'developer',
  group: dashboardGroup,
  summary: 'Make a board, or change its settings',
  description: [
    'Replaces all settings, in both environments; what is left out goes back to its default. Entries stay as they are: those outside new bounds are kept, and a changed `order` ranks the current season anew at once, while past seasons keep the order they were played in.',
    'A changed `reset_schedule` ends the current season at the next boundary of the new schedule.',
  ].join('\n\n'),
  params: BoardParams,
  body: Type.Object({
    order: Type.Enum([...SORT_ORDERS], {
      default: 'descending',
      description: 'Whether the highest score (`descending`) or the lowest ranks first.',
    }),
    reset_schedule: Type.Enum([...RESET_SCHEDULES], {
      default: 'none',
      description: RESETS,
    }),
    min_score: Type.Optional(settingMembers.min_score),
    max_score: Type.Optional(settingMembers.max_score),
  }),
  example: { order: 'descending', reset_schedule: 'weekly', min_score: 0, max_score: 1_000_000 },
  answers: {
    200: { description: 'The settings.', body: Settings, example: exampleSettings },
    400: errorAnswer(
      'A field is missing or invalid; `error` names it.',
      'max_score must not be less than min_score',
    ),
  },
});

export const deleteLeaderboard = defineOperation({
  id: 'deleteLeaderboard',
  method: 'DELETE',
  path: '/v1/games/{game_id}/leaderboards/{board_name}',
  access: 'admin',
  group: dashboardGroup,
  summary: 'Delete a board with all its entries',
  description:
    'In both environments, with all past seasons. A later submit makes it anew, without the settings.',
  params: BoardParams,
  answers: {
    204: { description: 'The board is deleted.' },
    404: boardOrGameNotFound,
  },
});

export const listLeaderboardEntries = defineOperation({
  id: 'listLeaderboardEntries',
  method: 'GET',
  path: '/v1/games/{game_id}/leaderboards/{board_name}/entries',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'Read a page of a board, or find players on it',
  description:
    'Entries in order of rank, all of one moment. With `search` only those of players whose id or display name contains the text, in any case.',
  params: BoardParams,
  query: merge(
    EnvironmentQuery,
    Type.Object({
      limit: PageSize,
      offset: Offset,
      season: OfSeason,
      search: Type.Optional(Name('Part of a player id or display name.')),
    }),
  ),
  answers: {
    200: { description: 'The page.', body: Type.Object(pageMembers), example: examplePage },
    404: boardOrGameNotFound,
  },
});

export const deleteLeaderboardEntry = defineOperation({
  id: 'deleteLeaderboardEntry',
  method: 'DELETE',
  path: '/v1/games/{game_id}/leaderboards/{board_name}/entries/{player_id}',
  access: 'developer',
  group: dashboardGroup,
  summary: "Remove a player's entry from a board",
  description: 'Those behind it move up. The player may submit again.',
  params: merge(BoardParams, Type.Object({ player_id: PlayerId })),
  query: merge(EnvironmentQuery, Type.Object({ season: OfSeason })),
  answers: {
    204: { description: 'The entry is removed.' },
    404: errorAnswer(
      'The player has no entry in that season, there is no such board, or the account is no member of the game.',
      'Entry not found',
    ),
  },
});

const SeasonDetails = Type.Object({
  season: Season,
  order: Order('The order that the season was or is played in.'),
  total_entries: TotalEntries,
  started_at: StartedAt,
  ends_at: EndsAt,
  ended_at: Nullable(Timestamp('When the season ended; null for the current one.')),
});
const exampleSeason = {
  season: 2,
  order: 'descending',
  total_entries: 0,
  started_at: '2026-03-11T12:00:00.000Z',
  ends_at: '2026-03-16T00:00:00.000Z',
  ended_at: null,
};

export const resetLeaderboard = defineOperation({
  id: 'resetLeaderboard',
  method: 'POST',
  path: '/v1/games/{game_id}/leaderboards/{board_name}/reset',
  access: 'admin',
  group: dashboardGroup,
  summary: 'Begin a new season of a board',
  description:
    'At once, in one environment. The season that ends stays readable by its number. A schedule goes on as before.',
  params: BoardParams,
  query: EnvironmentQuery,
  answers: {
    201: { description: 'The new season.', body: SeasonDetails, example: exampleSeason },
    404: boardOrGameNotFound,
  },
});

export const listLeaderboardSeasons = defineOperation({
  id: 'listLeaderboardSeasons',
  method: 'GET',
  path: '/v1/games/{game_id}/leaderboards/{board_name}/seasons',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'List the seasons of a board',
  description:
    'Of one environment, the newest first. A season begins when the one before ends; one that follows a scheduled end is listed from its first score on.',
  params: BoardParams,
  query: merge(EnvironmentQuery, PageQuery),
  answers: {
    200: {
      description: 'A page of seasons.',
      body: PageOf('seasons', SeasonDetails),
      example: { seasons: [exampleSeason], next_cursor: null },
    },
    404: boardOrGameNotFound,
  },
});

const PlayerScore = Resource('PlayerScore', {
  board_name: BoardName,
  season: Season,
  ...entryMembers,
  total_entries: TotalEntries,
  ended_at: Nullable(Timestamp('When the season ended; null for one that is current.')),
});

export const listPlayerScores = defineOperation({
  id: 'listPlayerScores',
  method: 'GET',
  path: '/v1/games/{game_id}/players/{player_id}/leaderboards',
  access: 'viewer',
  group: dashboardGroup,
  summary: "List a player's entries on all boards",
  description:
    'With their ranks, all of one moment: by board name, of each board the newest season first. A player without entries lists as empty.',
  params: Type.Object({ game_id: GameId, player_id: PlayerId }),
  query: merge(EnvironmentQuery, PageQuery),
  answers: {
    200: {
      description: 'A page of entries.',
      body: PageOf('scores', PlayerScore),
      example: {
        scores: [
          {
            board_name: 'high-scores',
            season: 2,
            ...exampleEntry,
            total_entries: 2_000,
            ended_at: null,
          },
        ],
        next_cursor: null,
      },
    },
  },
});
