-- Since when a player counts against the game's limit of players; null while only events name the player.
-- The players of before count, and their time is not known.
ALTER TABLE players ADD COLUMN counted_at timestamptz DEFAULT '-infinity';
ALTER TABLE players ALTER COLUMN counted_at SET DEFAULT now();

CREATE OR REPLACE FUNCTION count_added_players() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  games uuid[];
  environments environment[];
  ids text[];
  are_counted boolean[];
BEGIN
  SELECT array_agg(game_id), array_agg(environment), array_agg(player_id), array_agg(counted_at IS NOT NULL)
  INTO games, environments, ids, are_counted
  FROM added;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'players', count(*) FROM unnest(games, are_counted) AS added (game_id, is_counted)
    WHERE is_counted GROUP BY game_id;
    INSERT INTO player_name_changes SELECT * FROM unnest(games, environments, ids);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_removed_players() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  games uuid[];
  environments environment[];
  ids text[];
  were_counted boolean[];
BEGIN
  SELECT array_agg(game_id), array_agg(environment), array_agg(player_id), array_agg(counted_at IS NOT NULL)
  INTO games, environments, ids, were_counted
  FROM removed;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'players', -count(*) FROM unnest(games, were_counted) AS removed (game_id, was_counted)
    WHERE was_counted GROUP BY game_id;
    INSERT INTO player_name_changes SELECT * FROM unnest(games, environments, ids);
  END IF;
  RETURN NULL;
END $$;

-- For each row, because such changes are rare, and a trigger for each statement would copy all changed rows.
CREATE FUNCTION count_named_player() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO storage_changes VALUES (NEW.game_id, 'players', 1);
  RETURN NULL;
END $$;
CREATE TRIGGER players_named AFTER UPDATE OF counted_at ON players
  FOR EACH ROW WHEN (OLD.counted_at IS NULL AND NEW.counted_at IS NOT NULL)
  EXECUTE FUNCTION count_named_player();
