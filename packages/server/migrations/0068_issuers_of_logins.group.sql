-- A login of an OpenID Connect provider belongs to the issuer, because the provider's name can be given to
-- another issuer. Empty for other providers, and for logins of before and of the release before: these belong
-- to the issuer that the provider has. When it gets another one, the server writes the old one here first.
ALTER TABLE player_identities
  ADD COLUMN issuer text NOT NULL DEFAULT '';
-- The index is built anew, while logins wait. The release before names no column of this key.
ALTER TABLE player_identities DROP CONSTRAINT player_identities_pkey;
ALTER TABLE player_identities ADD PRIMARY KEY (game_id, environment, provider, subject, issuer);
