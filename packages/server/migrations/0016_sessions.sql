-- Logged-in browsers, each of which can be logged out alone. A token names its row.
CREATE TABLE account_sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  user_agent text,
  -- The network address of its last use.
  address text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX account_sessions_account ON account_sessions (account_id);

-- Tokens of the previous release name no session. All tokens of an account share a session with the
-- account's id, so that the update logs nobody out.
INSERT INTO account_sessions (id, account_id, expires_at)
SELECT id, id, now() + interval '7 days'
FROM accounts
WHERE greatest(created_at, last_login_at) > now() - interval '7 days';

-- Browsers that have logged in to an account before: failed logins of others do not lock them out.
CREATE TABLE account_devices (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  -- SHA-256 of the browser's cookie, hexadecimal. Accounts of one browser share it.
  token_hash text NOT NULL,
  user_agent text,
  address text,
  -- Consecutive wrong passwords.
  failures integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (token_hash, account_id)
);
CREATE INDEX account_devices_account ON account_devices (account_id);

-- The network or known browser that asked for the link. Each has a share of an account's mails.
-- Null: a server of the previous release made the row.
ALTER TABLE account_tokens ADD COLUMN asked_by text;
