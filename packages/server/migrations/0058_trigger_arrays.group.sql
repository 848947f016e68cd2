-- Triggers read the rows of their statement into arrays first: on a node of a Citus cluster, a statement
-- that writes to a table of the group cannot read them.
CREATE OR REPLACE FUNCTION count_added_rows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  games uuid[];
  amounts bigint[];
BEGIN
  SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
  FROM (SELECT game_id, count(*) AS amount FROM added GROUP BY game_id) AS counted;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, TG_ARGV[0]::counted_resource, amount FROM unnest(games, amounts) AS counted (game_id, amount);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_removed_rows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  games uuid[];
  amounts bigint[];
BEGIN
  SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
  FROM (SELECT game_id, -count(*) AS amount FROM removed GROUP BY game_id) AS counted;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, TG_ARGV[0]::counted_resource, amount FROM unnest(games, amounts) AS counted (game_id, amount);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_added_save_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  games uuid[];
  amounts bigint[];
BEGIN
  SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
  FROM (SELECT game_id, sum(octet_length(data)) AS amount FROM added GROUP BY game_id) AS counted;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'save_bytes', amount FROM unnest(games, amounts) AS counted (game_id, amount);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_removed_save_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  games uuid[];
  amounts bigint[];
BEGIN
  SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
  FROM (SELECT game_id, -sum(octet_length(data)) AS amount FROM removed GROUP BY game_id) AS counted;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'save_bytes', amount FROM unnest(games, amounts) AS counted (game_id, amount);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_replaced_save_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  games uuid[];
  amounts bigint[];
BEGIN
  SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
  FROM (SELECT game_id, sum(bytes) AS amount
        FROM (SELECT game_id, octet_length(data) AS bytes FROM added
              UNION ALL
              SELECT game_id, -octet_length(data) FROM removed) AS replaced
        GROUP BY game_id
        HAVING sum(bytes) <> 0) AS counted;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'save_bytes', amount FROM unnest(games, amounts) AS counted (game_id, amount);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_waiting_scores() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  games uuid[];
  amounts bigint[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
    FROM (SELECT game_id, count(*) AS amount FROM added WHERE state = 'waiting' GROUP BY game_id) AS counted;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
    FROM (SELECT game_id, -count(*) AS amount FROM removed WHERE state = 'waiting' GROUP BY game_id) AS counted;
  ELSE
    SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
    FROM (SELECT game_id, sum(change) AS amount
          FROM (SELECT game_id, 1 AS change FROM added WHERE state = 'waiting'
                UNION ALL
                SELECT game_id, -1 FROM removed WHERE state = 'waiting') AS changed
          GROUP BY game_id
          HAVING sum(change) <> 0) AS counted;
  END IF;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'leaderboard_entries', amount FROM unnest(games, amounts) AS counted (game_id, amount);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_added_players() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  games uuid[];
  environments environment[];
  ids text[];
BEGIN
  SELECT array_agg(game_id), array_agg(environment), array_agg(player_id) INTO games, environments, ids
  FROM added;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'players', count(*) FROM unnest(games) AS game_id GROUP BY game_id;
    INSERT INTO player_name_changes SELECT * FROM unnest(games, environments, ids);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_removed_players() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  games uuid[];
  environments environment[];
  ids text[];
BEGIN
  SELECT array_agg(game_id), array_agg(environment), array_agg(player_id) INTO games, environments, ids
  FROM removed;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'players', -count(*) FROM unnest(games) AS game_id GROUP BY game_id;
    INSERT INTO player_name_changes SELECT * FROM unnest(games, environments, ids);
  END IF;
  RETURN NULL;
END $$;
