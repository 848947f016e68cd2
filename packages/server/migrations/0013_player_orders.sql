-- Partial, so that only a statement that says so can use them: plans made while the table was empty
-- took them to find players by their ids, and then read the game's whole index for each.
DROP INDEX players_last_seen;
CREATE INDEX players_last_seen ON players (game_id, environment, last_seen_at, player_id)
  WHERE last_seen_at > '-infinity';
DROP INDEX players_first_seen;
CREATE INDEX players_first_seen ON players (game_id, environment, first_seen_at, player_id)
  WHERE first_seen_at > '-infinity';
