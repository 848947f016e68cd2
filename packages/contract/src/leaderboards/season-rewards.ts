import { answer, badRequest, errorAnswer, pageAnswer } from '../answers.ts';
import { EnvironmentPageQuery, EnvironmentQuery, GameId, PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { BoardName } from '../path-parameters.ts';
import { t } from '../schema.ts';
import { entryMembers, OfSeason, Season, TotalEntries } from './leaderboards.ts';
import { SeasonReward, SeasonRewards } from './reward-fields.ts';
import { PREVIEWED_PLAYERS } from './season-reward-limits.ts';
import { boardNotFound } from './settings.ts';

const operation = operationsIn('Leaderboards (dashboard)');

const MAX_RANK = 2_147_483_647;
const FirstRank = t.Nullable(
  t.Integer('The first rank that gets it; null if none does.', { minimum: 1, maximum: MAX_RANK }),
);
const LastRank = t.Nullable(
  t.Integer('The last rank that gets it; null if none does.', { minimum: 1, maximum: MAX_RANK }),
);

const PreviewedReward = t.Object({
  title: t.String('Title of the message.'),
  first_rank: FirstRank,
  last_rank: LastRank,
  player_count: t.Integer('Number of players who would get it.'),
  players: t.Array(
    t.Object({
      player_id: PlayerId,
      player_name: entryMembers.player_name,
      rank: entryMembers.rank,
      score: entryMembers.score,
    }),
    { description: `The first ${PREVIEWED_PLAYERS} of them, by rank.` },
  ),
});
const Preview = t.Resource('SeasonRewardPreview', {
  season: Season,
  total_entries: TotalEntries,
  waiting_scores: t.Integer(
    'Number of scores of the season that wait for a decision. Their players get nothing until then.',
  ),
  rewards: t.Array(PreviewedReward),
});
const exampleReward = {
  top_percent: 10,
  title: 'You were among the best',
  text: 'Thank you for playing. Here are 50 coins.',
  rewards: [{ type: 'item', key: 'coins', quantity: 50 }],
};

export const previewSeasonRewards = operation(
  'POST /v1/games/{game_id}/leaderboards/{board_name}/season-rewards/preview',
  {
    access: 'developer',
    summary: 'Preview the rewards of a season',
    description:
      'Who would get what if the season ended now, or who would get it of a past season. Changes nothing.',
    query: EnvironmentQuery,
    body: t.Object({
      season: OfSeason,
      season_rewards: t.Optional(SeasonRewards),
    }),
    example: { season_rewards: [exampleReward] },
    answers: {
      200: answer('The preview.', Preview, {
        season: 2,
        total_entries: 2_000,
        waiting_scores: 3,
        rewards: [
          {
            title: exampleReward.title,
            first_rank: 1,
            last_rank: 200,
            player_count: 200,
            players: [{ player_id: 'player-1842', player_name: 'Ada', rank: 1, score: 48_250 }],
          },
        ],
      }),
      400: badRequest('season_rewards[0] must have from_rank and to_rank, or top_percent'),
      404: boardNotFound,
    },
  },
);

export const REWARD_RUN_STATES = ['waiting', 'giving', 'done'] as const;
/** `waiting`: the ranks are not read yet; `giving`: some players have theirs; `done`: all have. */
export type RewardRunState = (typeof REWARD_RUN_STATES)[number];

const Run = t.Object({
  season: Season,
  state: t.Enum(
    REWARD_RUN_STATES,
    '`waiting`: the ranks are read next; `giving`: the messages are being sent; `done`: everybody has theirs, except players whose scores wait for a decision.',
  ),
  rewards: t.Array(
    t.Object({
      ...SeasonReward.properties,
      player_count: t.Integer('Number of players who have earned it.'),
      given_count: t.Integer('Number of players to whom it was sent.'),
    }),
  ),
  held_count: t.Integer('Number of players who get nothing until their scores are decided.'),
  began_at: t.Timestamp('When the season ended, or somebody began to reward it.'),
});
const exampleRun = {
  season: 2,
  state: 'giving',
  rewards: [{ ...exampleReward, player_count: 200, given_count: 150 }],
  held_count: 3,
  began_at: '2026-03-16T00:00:05.000Z',
};
export const SeasonRewardRun = t.Resource('SeasonRewardRun', Run.properties);

const params = t.Object({
  game_id: GameId,
  board_name: BoardName,
  season: t.Integer('Number of the season.', { minimum: 1, maximum: MAX_RANK }),
});

const notRewarded = errorAnswer(
  'The season has no rewards, there is no such board, or the account is no member of the game.',
  'The season has no rewards',
);

export const getSeasonRewards = operation(
  'GET /v1/games/{game_id}/leaderboards/{board_name}/seasons/{season}/rewards',
  {
    access: 'viewer',
    params,
    summary: 'Read the rewards of a past season',
    description:
      'The rewards as they were when the season ended, or as somebody gave them later, with the numbers of players.',
    query: EnvironmentQuery,
    answers: {
      200: answer('The rewards, and how many players have them.', SeasonRewardRun, exampleRun),
      404: notRewarded,
    },
  },
);

export const REWARDED_STATES = ['held', 'due', 'given', 'gone'] as const;
/** The state of the reward of a player. */
export type RewardedState = (typeof REWARDED_STATES)[number];

const Rewarded = t.Object({
  player_id: PlayerId,
  rank: t.Nullable(t.Integer('Rank in the season; null while its score waits for a decision.')),
  reward: t.Nullable(t.Integer('Place of the reward in the list, from 0; null for none yet.')),
  state: t.Enum(
    REWARDED_STATES,
    '`held`: a score of the player waits for a decision; `due`: the message is sent next; `given`: it was sent; `gone`: the entry was taken off the board before.',
  ),
  given_at: t.Nullable(t.Timestamp('When the message was sent; null if it was not.')),
});

export const listRewardedPlayers = operation(
  'GET /v1/games/{game_id}/leaderboards/{board_name}/seasons/{season}/rewards/players',
  {
    access: 'viewer',
    params,
    summary: 'List the players of a past season with their rewards',
    description: 'By rank; players whose scores wait come last.',
    query: EnvironmentPageQuery,
    answers: {
      200: pageAnswer('A page of players.', 'players', Rewarded, {
        player_id: 'player-1842',
        rank: 1,
        reward: 0,
        state: 'given',
        given_at: '2026-03-16T00:00:07.000Z',
      }),
      404: notRewarded,
    },
  },
);

export const rewardSeason = operation(
  'POST /v1/games/{game_id}/leaderboards/{board_name}/seasons/{season}/rewards',
  {
    access: 'developer',
    params,
    summary: 'Reward a past season',
    description:
      'Gives rewards to the players of a season that has ended without any, in the background. A season is rewarded once.',
    query: EnvironmentQuery,
    body: t.Object({ season_rewards: SeasonRewards }),
    example: { season_rewards: [exampleReward] },
    answers: {
      201: answer('The rewards.', SeasonRewardRun, { ...exampleRun, state: 'waiting' }),
      400: badRequest('season_rewards must have at least one reward'),
      404: errorAnswer(
        'There is no such season, no such board, or the account is no member of the game.',
        'Season not found',
      ),
      409: errorAnswer(
        'The season has not ended yet, or it has rewards already.',
        'The season is rewarded already',
      ),
    },
  },
);
