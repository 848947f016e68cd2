-- Submits are logged in leaderboard_changes until this moment; null: no other server has asked for
-- them. A server asks when it finds that its copy of the season is behind and changes are missing.
ALTER TABLE leaderboard_seasons ADD COLUMN followed_until timestamptz;
