-- Logged-in browsers, each of which can be logged out alone. A token names its row.
CREATE TABLE account_sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  user_agent text,
  -- Where it was last used from.
  address text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX account_sessions_account ON account_sessions (account_id);

-- Tokens of the release before name no session. Those of an account are one, by the account's id, so
-- that nobody is logged out by the update.
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

-- Who asked for the link, a network or a known browser: each has a share of an account's mails.
-- Null: asked for by a server of the release before.
ALTER TABLE account_tokens ADD COLUMN asked_by text;
