-- A player is read with the newest sessions, and may have many thousands; sorting 60,000 took 150 ms. The
-- index costs ingest 5 µs and 100 bytes a new session. Ingest waits while the index is built, about ten
-- seconds for a million sessions; a read waits for ingest for a second at most.
CREATE INDEX sessions_of_player ON sessions
  (game_id, environment, player_id, started_at DESC, session_id);
