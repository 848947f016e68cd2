-- Second factors of dashboard accounts. Every change of an account's factors, and every second step,
-- begins by locking its row of accounts, so that an account has one at a time.

CREATE TABLE totp_factors (
  account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  -- The secret under AES-256-GCM; its key is in installation, as second_factor_key.
  sealed_secret text NOT NULL,
  -- The time step of the newest used code. This code and older ones are no longer valid.
  last_step bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);

CREATE TABLE passkeys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  name text NOT NULL,
  -- The host name of its creation. Browsers offer it only there.
  rp_id text NOT NULL,
  -- Base64url, as WebAuthn writes it in JSON.
  credential_id text NOT NULL UNIQUE,
  public_key text NOT NULL,
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_account ON passkeys (account_id);

CREATE TABLE recovery_codes (
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  -- SHA-256 of the code, hexadecimal.
  code_hash text NOT NULL,
  PRIMARY KEY (account_id, code_hash)
);

CREATE TYPE second_factor_purpose AS ENUM ('log_in', 'add_totp', 'add_passkey');

CREATE TABLE second_factor_challenges (
  -- SHA-256 of the challenge, hexadecimal.
  challenge_hash text PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  purpose second_factor_purpose NOT NULL,
  -- For add_totp: the secret that a code must prove, sealed as above.
  sealed_secret text,
  -- A change of the password makes earlier challenges invalid.
  token_generation integer NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);
CREATE INDEX second_factor_challenges_account ON second_factor_challenges (account_id);
CREATE INDEX second_factor_challenges_expiry ON second_factor_challenges (expires_at);

-- Wrong codes of the authenticator app in a row, over all challenges of an account.
CREATE TABLE totp_failures (
  account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  failures integer NOT NULL,
  locked_until timestamptz
);
