import { answer, pageAnswer } from '../answers.ts';
import { EnvironmentPageQuery, EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { BoardName } from '../path-parameters.ts';
import { t } from '../schema.ts';
import { exampleKept, keptMembers } from './kept-scores.ts';
import {
  entryMembers,
  exampleEntry,
  examplePage,
  Offset,
  OfSeason,
  pageMembers,
  PageSize,
  Season,
  TotalEntries,
} from './leaderboards.ts';
import { boardNotFound, EndsAt, entryNotFound, Order, StartedAt } from './settings.ts';

const operation = operationsIn('Leaderboards (dashboard)');

export const listLeaderboardEntries = operation(
  'GET /v1/games/{game_id}/leaderboards/{board_name}/entries',
  {
    access: 'viewer',
    summary: 'Read a page of a board, or find players on it',
    description:
      'Entries in order of rank; the whole answer shows one moment. `search` selects players whose id or display name contains the text, in upper or lower case.',
    query: t.Object({
      ...EnvironmentQuery.properties,
      limit: PageSize,
      offset: Offset,
      season: OfSeason,
      search: t.Optional(t.Name('Part of a player id or display name.')),
    }),
    answers: {
      200: answer(
        'The page.',
        t.Object({
          ...pageMembers,
          found_entries: t.Optional(
            t.Integer('Number of entries that `search` selects; only with `search`.'),
          ),
        }),
        examplePage,
      ),
      404: boardNotFound,
    },
  },
);

export const deleteLeaderboardEntry = operation(
  'DELETE /v1/games/{game_id}/leaderboards/{board_name}/entries/{player_id}',
  {
    access: 'developer',
    summary: "Remove a player's entry from a board",
    description: 'The entries behind it move up. The player may submit again.',
    query: t.Object({ ...EnvironmentQuery.properties, season: OfSeason }),
    answers: {
      204: { description: 'The entry is removed.' },
      404: entryNotFound,
    },
  },
);

const SeasonDetails = t.Object({
  season: Season,
  order: Order('Order of the season.'),
  ...keptMembers,
  total_entries: TotalEntries,
  started_at: StartedAt,
  ends_at: EndsAt,
  ended_at: t.Nullable(t.Timestamp('When the season ended; null for the current one.')),
  is_rewarded: t.Boolean('Whether its players got rewards, or get them in the background.'),
});
const exampleSeason = {
  season: 2,
  order: 'descending',
  ...exampleKept,
  total_entries: 0,
  started_at: '2026-03-11T12:00:00.000Z',
  ends_at: '2026-03-16T00:00:00.000Z',
  ended_at: null,
  is_rewarded: false,
};

export const resetLeaderboard = operation(
  'POST /v1/games/{game_id}/leaderboards/{board_name}/reset',
  {
    access: 'admin',
    summary: 'Begin a new season of a board',
    description:
      'At once, in one environment. The ended season can still be read by its number. A schedule continues as before.',
    query: EnvironmentQuery,
    answers: {
      201: answer('The new season.', SeasonDetails, exampleSeason),
      404: boardNotFound,
    },
  },
);

export const listLeaderboardSeasons = operation(
  'GET /v1/games/{game_id}/leaderboards/{board_name}/seasons',
  {
    access: 'viewer',
    summary: 'List the seasons of a board',
    description:
      'The seasons of one environment, the newest first. A season begins when the one before ends; after a scheduled end the new season is listed as soon as it has a score.',
    query: EnvironmentPageQuery,
    answers: {
      200: pageAnswer('A page of seasons.', 'seasons', SeasonDetails, exampleSeason),
      404: boardNotFound,
    },
  },
);

const PlayerScore = t.Resource('PlayerScore', {
  board_name: BoardName,
  season: Season,
  ...entryMembers,
  total_entries: TotalEntries,
  ended_at: t.Nullable(t.Timestamp('When the season ended; null for the current one.')),
});

export const listPlayerScores = operation(
  'GET /v1/games/{game_id}/players/{player_id}/leaderboards',
  {
    access: 'viewer',
    summary: "List a player's entries on all boards",
    description:
      'By board name, and for each board the newest season first. The ranks all show one moment. A player without entries gets an empty list.',
    query: EnvironmentPageQuery,
    answers: {
      200: pageAnswer('A page of entries.', 'scores', PlayerScore, {
        board_name: 'high-scores',
        season: 2,
        ...exampleEntry,
        total_entries: 2_000,
        ended_at: null,
      }),
    },
  },
);
