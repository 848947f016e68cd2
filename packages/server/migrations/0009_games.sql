-- Invitations into games, and the erasing of games that were deleted.

CREATE TABLE invitations (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  email text NOT NULL,
  role game_role NOT NULL,
  -- The inviter's e-mail address at the time; null: the server's own command line.
  invited_by text,
  -- SHA-256 of the link's token, hexadecimal; null until the mail is written.
  token_hash text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, id)
);
CREATE UNIQUE INDEX invitations_email ON invitations (game_id, lower(email));
CREATE UNIQUE INDEX invitations_token ON invitations (token_hash);

-- Games whose rows are being erased. The row is deleted when nothing is left of the game.
CREATE TABLE game_deletions (
  game_id uuid PRIMARY KEY,
  deleted_at timestamptz NOT NULL DEFAULT now(),
  -- A server that erases a game raises this, so that no other server does it at the same time.
  next_sweep_at timestamptz NOT NULL DEFAULT now()
);

-- For counts of an account's recent actions.
CREATE INDEX audit_log_account ON audit_log (account_id, id);
