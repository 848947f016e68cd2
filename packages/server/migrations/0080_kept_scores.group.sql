-- What a board keeps of the scores of a player (best, latest or sum), and the second number that decides
-- among equal scores (none, lower or higher). A season has the settings with which it began.
ALTER TABLE leaderboards
  ADD COLUMN keeps text NOT NULL DEFAULT 'best',
  ADD COLUMN tie_break text NOT NULL DEFAULT 'none';
ALTER TABLE leaderboard_seasons
  ADD COLUMN keeps text NOT NULL DEFAULT 'best',
  ADD COLUMN tie_break text NOT NULL DEFAULT 'none';
ALTER TABLE leaderboard_entries ADD COLUMN tie_value double precision;
ALTER TABLE leaderboard_held_scores
  ADD COLUMN tie_value double precision,
  ADD COLUMN replaced_tie_value double precision;

-- The submits that were stored with an Idempotency-Key, on boards that keep the latest score or the sum. Each
-- row is stored with its score. The key and the body are SHA-256, hexadecimal.
CREATE TABLE leaderboard_submit_keys (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  board_name text NOT NULL,
  submit_key text NOT NULL,
  body_hash text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, environment, player_id, board_name, submit_key)
);
CREATE INDEX leaderboard_submit_keys_expiry ON leaderboard_submit_keys (expires_at);
