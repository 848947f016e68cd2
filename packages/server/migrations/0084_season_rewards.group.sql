-- What players get at the end of each season of a board, by their ranks.
ALTER TABLE leaderboards ADD COLUMN season_rewards json NOT NULL DEFAULT '[]';

-- The seasons that are rewarded, with the rewards as they were when they ended.
CREATE TABLE leaderboard_reward_runs (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  board_name text NOT NULL,
  season integer NOT NULL,
  rewards json NOT NULL,
  -- waiting: the ranks are not read yet; giving: some players do not have theirs.
  -- waiting, giving or done.
  state text NOT NULL DEFAULT 'waiting',
  began_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, environment, board_name, season)
);
CREATE INDEX leaderboard_reward_runs_open ON leaderboard_reward_runs (began_at) WHERE state <> 'done';

-- The players who get something for a season. A row is noted as given in the transaction that sends its message.
CREATE TABLE leaderboard_rewarded_players (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  board_name text NOT NULL,
  season integer NOT NULL,
  -- Null while a score of the player waits for a decision (held).
  rank integer,
  reward smallint,
  -- held, due, given or gone.
  state text NOT NULL,
  message_id uuid NOT NULL DEFAULT gen_random_uuid(),
  given_at timestamptz,
  PRIMARY KEY (game_id, environment, player_id, board_name, season)
);
CREATE INDEX leaderboard_rewarded_players_rank
  ON leaderboard_rewarded_players (game_id, environment, board_name, season, rank);
CREATE INDEX leaderboard_rewarded_players_open
  ON leaderboard_rewarded_players (game_id, environment, board_name, season, state, rank)
  WHERE state IN ('held', 'due');
