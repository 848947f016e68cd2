-- Logins of players. A player who has one is claimed.
CREATE TABLE player_identities (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  provider text NOT NULL,
  -- The id of the player at the provider; for `device` the device id.
  subject text NOT NULL,
  player_id text NOT NULL,
  -- For `device`: SHA-256 of its secret, hexadecimal. The secret has 256 random bits.
  secret_hash text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, environment, provider, subject)
);
-- Of the player alone: with columns of the primary key, a plan made while the table was empty would take
-- it for logins too, and a login among 20,000 then read all of them, 11 ms.
CREATE INDEX player_identities_player ON player_identities (player_id);

-- Open sessions of players. Every refresh raises the generation, in place: no index has to change but
-- the one by expiry, once a day.
CREATE TABLE player_login_sessions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  session_id uuid NOT NULL,
  -- The identity with which it began. It ends with the identity.
  provider text NOT NULL,
  subject text NOT NULL,
  -- The refresh token of a generation is an HMAC by this secret.
  token_secret text NOT NULL,
  generation integer NOT NULL,
  refreshed_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, environment, player_id, session_id)
) WITH (fillfactor = 85);
CREATE INDEX player_login_sessions_expiry ON player_login_sessions (expires_at);

-- Tokens and tickets of providers that were used already.
CREATE TABLE used_login_tokens (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  -- SHA-256, hexadecimal.
  token_hash text NOT NULL,
  used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, environment, token_hash)
);
CREATE INDEX used_login_tokens_expiry ON used_login_tokens (expires_at);

CREATE TABLE player_move_codes (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  code text NOT NULL,
  player_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The device that has used it, which may repeat its request.
  used_by text,
  PRIMARY KEY (game_id, environment, code)
);
CREATE UNIQUE INDEX player_move_codes_player ON player_move_codes (game_id, environment, player_id);

CREATE TABLE login_providers (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  provider text NOT NULL,
  -- The settings that may be shown.
  settings jsonb NOT NULL,
  -- The secret under AES-256-GCM; its key is in installation, as second_factor_key.
  sealed_secret text,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, environment, provider)
);
