-- The page of a player shows the newest sessions, and a player may have many thousands. Ingest waits while the
-- index is built, a few seconds for a million sessions; no caller waits for ingest.
CREATE INDEX sessions_of_player ON sessions
  (game_id, environment, player_id, started_at DESC, session_id);
