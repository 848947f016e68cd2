-- The first scores of a decision: player_id, player_name and score of each.
ALTER TABLE leaderboard_decisions ADD COLUMN scores jsonb NOT NULL DEFAULT '[]';
