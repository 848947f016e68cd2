-- A key stands for a copy of the game, or for the studio's own server, which may act for any player.
CREATE TYPE api_key_kind AS ENUM ('client', 'server');
ALTER TABLE api_keys ADD COLUMN kind api_key_kind NOT NULL DEFAULT 'client';

-- Which calls about a player must carry that player's token. An environment without a row has 'off'.
CREATE TYPE verification_mode AS ENUM ('off', 'claimed', 'required');
CREATE TABLE verification_settings (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  verification verification_mode NOT NULL,
  PRIMARY KEY (game_id, environment)
);
-- Calls about players by client keys, by the hour in which they were made; kept for a day.
CREATE TABLE player_call_counts (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  hour timestamptz NOT NULL,
  with_token bigint NOT NULL,
  without_token bigint NOT NULL,
  PRIMARY KEY (game_id, environment, hour)
);

-- Whose calls may write an achievement or a board.
CREATE TYPE writes_from AS ENUM ('anyone', 'verified', 'server');
ALTER TABLE achievements ADD COLUMN writes_from writes_from NOT NULL DEFAULT 'anyone';
