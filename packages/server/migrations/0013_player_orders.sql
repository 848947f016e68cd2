-- Partial, so that only statements with the same condition can use them. Plans made while the table was
-- empty used them to find players by id, and then read the game's whole index for each player.
DROP INDEX players_last_seen;
CREATE INDEX players_last_seen ON players (game_id, environment, last_seen_at, player_id)
  WHERE last_seen_at > '-infinity';
DROP INDEX players_first_seen;
CREATE INDEX players_first_seen ON players (game_id, environment, first_seen_at, player_id)
  WHERE first_seen_at > '-infinity';
