-- Why the last check of an alert failed; null when it did not.
ALTER TABLE alerts ADD COLUMN problem text;
