-- The status to which unlocking returns a locked account, so that it does not activate an account that
-- was never activated. Null for accounts that are not locked or were locked before this migration.
ALTER TABLE accounts ADD COLUMN status_before_lock account_status;
