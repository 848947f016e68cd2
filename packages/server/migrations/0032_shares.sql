-- How much one player, or one network within a key, may send a minute. An environment without a row has
-- no shares.
CREATE TABLE share_settings (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  shares jsonb NOT NULL,
  PRIMARY KEY (game_id, environment)
);
