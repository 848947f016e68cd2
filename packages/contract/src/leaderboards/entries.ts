import { Type } from 'typebox';
import {
  EnvironmentQuery,
  errorAnswer,
  GameId,
  merge,
  Name,
  Nullable,
  PageOf,
  PageQuery,
  Resource,
  Timestamp,
} from '../common.ts';
import {
  boardOrGameNotFound,
  BoardParams,
  dashboardGroup,
  EndsAt,
  Order,
  StartedAt,
} from './settings.ts';
import {
  BoardName,
  entryMembers,
  exampleEntry,
  examplePage,
  Offset,
  OfSeason,
  pageMembers,
  PageSize,
  PlayerId,
  Season,
  TotalEntries,
} from './leaderboards.ts';
import { defineOperation } from '../operation.ts';

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
