-- A worker fills the table again in the background. Until it has read the players of a game, searches in the
-- game read all its players.
TRUNCATE player_names;
DROP INDEX player_names_pieces;
CREATE INDEX player_names_pieces ON player_names USING gin (search_pieces(game_id, environment, ARRAY[
  left(E'\x01' || fold_text(player_id), 2), E'\x01' || fold_text(player_id),
  left(E'\x01' || fold_text(name), 2), E'\x01' || fold_text(name)]));
INSERT INTO player_name_builds (game_id, environment)
SELECT id, environment.environment
FROM games CROSS JOIN unnest(enum_range(NULL::environment)) AS environment (environment)
WHERE EXISTS (SELECT FROM players
              WHERE players.game_id = games.id AND players.environment = environment.environment)
ON CONFLICT (game_id, environment) DO UPDATE
SET player_id = '', player_count = 0, is_usable = false, next_step_at = now();
