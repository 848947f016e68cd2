-- Identities of staff at the studio's OpenID Connect issuer. An account is found by issuer and subject, because
-- the e-mail address of a person can change, and can be given to another person.
CREATE TABLE account_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_login_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject),
  -- A person has one identity at an issuer.
  UNIQUE (account_id, issuer)
);

-- The hash of a random text that nobody knows. An account whose password_hash is another one has a password that
-- its owner chose. Servers of the previous release set only password_hash, so this is right for them too.
ALTER TABLE accounts ADD COLUMN unknown_password_hash text;

-- True for memberships that follow the groups of the member's identity.
ALTER TABLE game_members ADD COLUMN from_groups boolean NOT NULL DEFAULT false;

ALTER TYPE account_token_purpose ADD VALUE 'log_in';
