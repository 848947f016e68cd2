-- Dashboard accounts: failed logins, links sent by e-mail, and mails that wait to be sent.

-- Consecutive failed logins, also for addresses that have no account.
CREATE TABLE login_failures (
  -- In lower case, like the look-up of accounts.
  email text PRIMARY KEY,
  failures integer NOT NULL DEFAULT 0,
  last_failed_at timestamptz NOT NULL DEFAULT now(),
  locked_until timestamptz
);

-- Attempts of a network address in the current minute, for actions with a limit.
CREATE TABLE attempt_counts (
  action text NOT NULL,
  address text NOT NULL,
  minute_started_at timestamptz NOT NULL,
  attempts integer NOT NULL,
  PRIMARY KEY (action, address)
);

CREATE TYPE account_token_purpose AS ENUM ('reset_password', 'activate_account');

-- Single-use links. The token itself is only in the mail.
CREATE TABLE account_tokens (
  -- SHA-256 of the token, hexadecimal.
  token_hash text PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  purpose account_token_purpose NOT NULL,
  -- A repeated mail carries a new token, which replaces the previous one.
  mail_id uuid NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX account_tokens_account ON account_tokens (account_id);

-- Mails to send. They are written when they are sent, so that no row holds a token.
CREATE TABLE mail_outbox (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  params jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mail_outbox_due ON mail_outbox (next_attempt_at);
