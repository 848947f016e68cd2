-- While a server checks an alert, no other server does: until this time, in case the server dies.
ALTER TABLE alerts ADD COLUMN claimed_until timestamptz;
