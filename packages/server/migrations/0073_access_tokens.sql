-- Tokens with which machines call the API for a member. Only their hashes are stored.
CREATE TABLE access_tokens (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  name text NOT NULL,
  -- A role of members, or `reports`, which is below them.
  role text NOT NULL CHECK (role IN ('reports', 'viewer', 'developer', 'admin', 'owner')),
  prefix text NOT NULL,
  token_hash text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX access_tokens_account ON access_tokens (account_id, created_at, id);

-- The games that a token reaches. A row goes with the membership of the account, and does not come back with it.
CREATE TABLE access_token_games (
  game_id uuid NOT NULL,
  token_id uuid NOT NULL REFERENCES access_tokens ON DELETE CASCADE,
  account_id uuid NOT NULL,
  PRIMARY KEY (game_id, token_id),
  FOREIGN KEY (game_id, account_id) REFERENCES game_members ON DELETE CASCADE
);
CREATE INDEX access_token_games_token ON access_token_games (token_id);
