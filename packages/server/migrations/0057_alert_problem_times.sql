-- The last time that the members of an alert were told that its number takes too long.
ALTER TABLE alerts ADD COLUMN problem_told_at timestamptz;
