-- Reports of a part of a day read the sessions that began in it. Ingest waits while the index is
-- built, about a second for a million sessions; no caller waits for ingest.
-- Only queries that state the condition use it: others find sessions by their key.
CREATE INDEX sessions_started ON sessions (game_id, environment, started_at)
  WHERE started_at > '-infinity';
