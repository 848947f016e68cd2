import { answer, errorAnswer } from '../answers.ts';
import { PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import {
  Entry,
  exampleEntry,
  examplePage,
  NEIGHBOURS,
  OfSeason,
  pageMembers,
  seasonMembers,
} from './leaderboards.ts';

/** The maximum number of entries above a player, and of entries below. */
const MAX_NEIGHBOURS = 50;
/** The maximum number of players in one request. */
const MAX_PLAYERS = 100;

const operation = operationsIn('Leaderboards');

const Neighbours = (side: string) =>
  t.Integer(`Most entries that rank ${side} the player's, 0 to ${MAX_NEIGHBOURS}.`, {
    minimum: 0,
    maximum: MAX_NEIGHBOURS,
    default: NEIGHBOURS,
  });

export const getLeaderboardAround = operation(
  'GET /v1/leaderboards/{board_name}/around/{player_id}',
  {
    access: 'key',
    summary: "Read a player's entry with its neighbours",
    description:
      "Entries in order of rank: up to `above` entries before the player's, the player's own, and up to `below` behind it. The whole answer shows one moment. It has no entries if the player, the board or the season has none.",
    query: t.Object({ above: Neighbours('before'), below: Neighbours('behind'), season: OfSeason }),
    answers: {
      200: answer("The player's entry and its neighbours.", t.Object(pageMembers), examplePage),
      400: errorAnswer('above, below or season is invalid.', 'above must be at most 50'),
    },
  },
);

export const listLeaderboardPlayers = operation('POST /v1/leaderboards/{board_name}/players', {
  access: 'key',
  summary: 'Read the entries of named players, such as friends',
  description: `The entries of up to ${MAX_PLAYERS} players, with their ranks among all entries of the board. The whole answer shows one moment. A player who is named twice comes once.`,
  body: t.Object({
    player_ids: t.Array(PlayerId, {
      minItems: 1,
      maxItems: MAX_PLAYERS,
      description: `Ids of 1 to ${MAX_PLAYERS} players.`,
    }),
    season: OfSeason,
  }),
  example: { player_ids: ['player-1842', 'player-7'] },
  answers: {
    200: answer(
      'The players in order of rank; those without an entry come last, as they were named.',
      t.Object({
        ...seasonMembers,
        players: t.Array(
          t.Object({
            player_id: PlayerId,
            entry: t.Union([Entry, t.Null()], {
              description: "The player's entry; null if there is none.",
            }),
          }),
        ),
      }),
      {
        board_name: 'high-scores',
        season: 1,
        total_entries: 2_000,
        players: [
          { player_id: 'player-1842', entry: exampleEntry },
          { player_id: 'player-7', entry: null },
        ],
      },
    ),
    400: errorAnswer(
      'player_ids or season is missing or invalid.',
      'player_ids must have at most 100 entries',
    ),
  },
});
