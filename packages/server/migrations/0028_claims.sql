-- Whether a login may take over an existing player by its id. As before, it may.
ALTER TABLE verification_settings ADD COLUMN allows_claims boolean NOT NULL DEFAULT true;
