-- What an account that is locked returns to when it is unlocked: one that was never activated must
-- not become active by it. Null when it is not locked, or was locked before this was kept.
ALTER TABLE accounts ADD COLUMN status_before_lock account_status;
