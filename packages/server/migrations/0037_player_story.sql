-- The story of a player shows the logins that opened the sessions which are still open. Sessions from
-- before have no time.
ALTER TABLE player_login_sessions ADD COLUMN opened_at timestamptz;
ALTER TABLE player_login_sessions ALTER COLUMN opened_at SET DEFAULT now();

-- Changes by staff to one player. The text is a player's id, or the target of another change.
CREATE INDEX audit_log_player ON audit_log
  (game_id, (left(coalesce(details ->> 'player_id', target), 255)), (details ->> 'environment'), at, id);
