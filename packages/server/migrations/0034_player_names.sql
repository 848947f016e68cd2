-- The property of players that holds their names; null: players are shown by their ids.
ALTER TABLE games ADD COLUMN player_name_property text;

-- A name has at most 100 characters. Everything that shows or searches names takes them from here.
CREATE FUNCTION player_name(properties jsonb, property text) RETURNS text
IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT CASE WHEN jsonb_typeof(properties -> property) = 'string'
    THEN NULLIF(left(btrim(properties ->> property), 100), '') END
$$;

-- The pieces by which a text is found: all runs of three characters, or the whole of a shorter text. They
-- are hashed with the game and the environment, so that the index of all games has a part for each.
CREATE FUNCTION search_pieces(game_id uuid, environment environment, texts text[]) RETURNS bigint[]
IMMUTABLE PARALLEL SAFE COST 5000 LANGUAGE plpgsql AS $$
DECLARE
  seed bigint := hashtextextended(environment || ' ' || game_id, 0);
  pieces bigint[] := '{}';
  content text;
BEGIN
  FOREACH content IN ARRAY texts LOOP
    FOR place IN 1 .. greatest(length(content) - 2, 1) LOOP
      pieces := pieces || hashtextextended(substr(content, place, 3), seed);
    END LOOP;
  END LOOP;
  RETURN pieces;
END $$;

-- Players as the search knows them. A worker follows the table of players, so that the hot writes of
-- players touch no further index: a new player costs them a row of the table below, and a name the same.
CREATE TABLE player_names (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  name text,
  PRIMARY KEY (game_id, environment, player_id)
);
-- \x01 marks the beginning of a text, for searches of one or two characters.
CREATE INDEX player_names_pieces ON player_names USING gin (search_pieces(game_id, environment, ARRAY[
  left(E'\x01' || lower(player_id), 2), E'\x01' || lower(player_id),
  left(E'\x01' || lower(name), 2), E'\x01' || lower(name)]));

-- Players whose row in player_names may be out of date. Every search looks at them too.
CREATE TABLE player_name_changes (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL
);
ALTER TABLE player_name_changes
  SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Games whose players are all read anew, because of a new setting or this migration.
CREATE TABLE player_name_builds (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  -- The last player that was read.
  player_id text NOT NULL DEFAULT '',
  player_count bigint NOT NULL DEFAULT 0,
  -- The first reading is over, and searches use the index.
  is_usable boolean NOT NULL DEFAULT false,
  next_step_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_id, environment)
);

-- The triggers that count players note them for the search too, in the same call.
CREATE FUNCTION count_added_players() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO storage_changes
  SELECT game_id, 'players', count(*) FROM added GROUP BY game_id;
  IF FOUND THEN
    INSERT INTO player_name_changes SELECT game_id, environment, player_id FROM added;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION count_removed_players() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO storage_changes
  SELECT game_id, 'players', -count(*) FROM removed GROUP BY game_id;
  IF FOUND THEN
    INSERT INTO player_name_changes SELECT game_id, environment, player_id FROM removed;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER players_added AFTER INSERT ON players
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_players();
CREATE OR REPLACE TRIGGER players_removed AFTER DELETE ON players
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_players();

INSERT INTO player_name_builds (game_id, environment)
SELECT id, environment
FROM games CROSS JOIN unnest(enum_range(NULL::environment)) AS environment;
