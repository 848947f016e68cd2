-- What every feature stands on: the installation, people, games and their members, API keys, players.

CREATE TYPE environment AS ENUM ('development', 'production');
CREATE TYPE account_status AS ENUM ('active', 'pending', 'locked');
CREATE TYPE game_role AS ENUM ('viewer', 'developer', 'admin', 'owner');
CREATE TYPE game_tier AS ENUM ('free', 'indie', 'studio');
CREATE TYPE event_validation AS ENUM ('off', 'warn', 'reject');

-- Facts about the installation as a whole, such as the secret that signs tokens.
CREATE TABLE installation (
  name text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- As typed. The index below makes it unique regardless of case.
  email text NOT NULL,
  password_hash text NOT NULL,
  status account_status NOT NULL,
  is_administrator boolean NOT NULL DEFAULT false,
  -- Tokens of an earlier generation are void.
  token_generation integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_login_at timestamptz
);
CREATE UNIQUE INDEX accounts_email ON accounts (lower(email));

CREATE TABLE games (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  time_zone text NOT NULL,
  tier game_tier NOT NULL DEFAULT 'free',
  event_validation event_validation NOT NULL DEFAULT 'off',
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE game_members (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  role game_role NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, account_id)
);
CREATE INDEX game_members_account ON game_members (account_id);

CREATE TABLE api_keys (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  environment environment NOT NULL,
  name text NOT NULL,
  -- The part of the key that stays visible, such as ow_live_x7Kp2q.
  prefix text NOT NULL,
  -- SHA-256 of the key, hexadecimal.
  key_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (game_id, id)
);
CREATE UNIQUE INDEX api_keys_hash ON api_keys (key_hash);

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null for changes to the installation. No foreign key: the record outlives the game.
  game_id uuid,
  at timestamptz NOT NULL DEFAULT now(),
  -- Null: the server's own command line. E-mail as it was at the time.
  account_id uuid,
  account_email text,
  ip text,
  action text NOT NULL,
  target text NOT NULL,
  details jsonb NOT NULL
);
CREATE INDEX audit_log_game ON audit_log (game_id, id);

-- A player exists from the first accepted write that names it.
CREATE TABLE players (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  properties jsonb NOT NULL DEFAULT '{}',
  -- Lowercase, in the order they were added.
  tags text[] NOT NULL DEFAULT '{}',
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, environment, player_id)
);
