-- An entry that a member took off its board waits as a score that broke a rule does. The decision that
-- took it off can be undone while it waits.
ALTER TYPE leaderboard_decision_kind ADD VALUE 'quarantine';
ALTER TABLE leaderboard_held_scores ADD COLUMN quarantined_by uuid;
