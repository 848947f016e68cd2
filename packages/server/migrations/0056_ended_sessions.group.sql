-- A session that a player ends stays until it would have expired, for the player's story. Its secret is
-- replaced, so servers of the release before refuse its refresh tokens too.
ALTER TABLE player_login_sessions ADD COLUMN ended_at timestamptz;
ALTER TABLE player_login_sessions ADD COLUMN end_reason text;
