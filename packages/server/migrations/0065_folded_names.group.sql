-- A worker fills the table again in the background. Until it has read the players of a game, searches in the
-- game read all its players.
TRUNCATE player_names, player_name_builds;
DROP INDEX player_names_pieces;
CREATE INDEX player_names_pieces ON player_names USING gin (search_pieces(game_id, environment, ARRAY[
  left(E'\x01' || fold_text(player_id), 2), E'\x01' || fold_text(player_id),
  left(E'\x01' || fold_text(name), 2), E'\x01' || fold_text(name)]));
-- A cluster does not accept an INSERT that reads tables of the group directly.
WITH played AS MATERIALIZED (
  SELECT games.id AS game_id, environment.environment
  FROM games CROSS JOIN unnest(enum_range(NULL::environment)) AS environment (environment)
  WHERE EXISTS (SELECT FROM players
                WHERE players.game_id = games.id AND players.environment = environment.environment)
)
INSERT INTO player_name_builds (game_id, environment) SELECT game_id, environment FROM played;
