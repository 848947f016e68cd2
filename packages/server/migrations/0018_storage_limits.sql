-- A game's uses of resources that change too often to be counted at each request.
CREATE TYPE counted_resource AS ENUM ('save_bytes', 'players', 'leaderboard_entries');
CREATE TABLE game_storage (
  game_id uuid NOT NULL,
  resource counted_resource NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (game_id, resource)
);
-- Changes of these uses. Writers only insert here, so that none waits for another. Every second a server
-- moves the rows to game_storage; a game's use is the sum of both tables.
CREATE TABLE storage_changes (
  game_id uuid NOT NULL,
  resource counted_resource NOT NULL,
  change bigint NOT NULL
);
ALTER TABLE storage_changes SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Triggers see every change: hot writes, erasures, deleted games, imports. They run once a statement,
-- however many rows it writes, and take 15 to 40 µs.
CREATE FUNCTION count_added_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO storage_changes
  SELECT game_id, TG_ARGV[0]::counted_resource, count(*) FROM added GROUP BY game_id;
  RETURN NULL;
END $$;
CREATE FUNCTION count_removed_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO storage_changes
  SELECT game_id, TG_ARGV[0]::counted_resource, -count(*) FROM removed GROUP BY game_id;
  RETURN NULL;
END $$;
CREATE FUNCTION count_added_save_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO storage_changes
  SELECT game_id, 'save_bytes', sum(octet_length(data)) FROM added GROUP BY game_id;
  RETURN NULL;
END $$;
CREATE FUNCTION count_replaced_save_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO storage_changes
  SELECT game_id, 'save_bytes', sum(bytes)
  FROM (SELECT game_id, octet_length(data) AS bytes FROM added
        UNION ALL
        SELECT game_id, -octet_length(data) FROM removed) AS replaced
  GROUP BY game_id
  HAVING sum(bytes) <> 0;
  RETURN NULL;
END $$;
CREATE FUNCTION count_removed_save_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO storage_changes
  SELECT game_id, 'save_bytes', -sum(octet_length(data)) FROM removed GROUP BY game_id;
  RETURN NULL;
END $$;

-- In the order in which writers lock these tables. Writes wait until the commit; the counts below take
-- 0.2 s for a million rows.
LOCK TABLE save_versions, leaderboard_entries, players IN SHARE ROW EXCLUSIVE MODE;

CREATE TRIGGER save_versions_added AFTER INSERT ON save_versions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_save_bytes();
CREATE TRIGGER save_versions_replaced AFTER UPDATE ON save_versions
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_replaced_save_bytes();
CREATE TRIGGER save_versions_removed AFTER DELETE ON save_versions
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_save_bytes();
CREATE TRIGGER leaderboard_entries_added AFTER INSERT ON leaderboard_entries
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_rows('leaderboard_entries');
CREATE TRIGGER leaderboard_entries_removed AFTER DELETE ON leaderboard_entries
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_rows('leaderboard_entries');
CREATE TRIGGER players_added AFTER INSERT ON players
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_rows('players');
CREATE TRIGGER players_removed AFTER DELETE ON players
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_rows('players');

INSERT INTO game_storage
SELECT game_id, 'save_bytes', sum(octet_length(data)) FROM save_versions GROUP BY game_id;
INSERT INTO game_storage
SELECT game_id, 'leaderboard_entries', count(*) FROM leaderboard_entries GROUP BY game_id;
INSERT INTO game_storage
SELECT game_id, 'players', count(*) FROM players GROUP BY game_id;

-- After the counts, because reads of these tables wait from here on.
-- Games on the Free tier that the account may own; null: the usual number.
ALTER TABLE accounts ADD COLUMN max_free_games integer;
-- When the account proved that it reads the mail of its address; null: never.
ALTER TABLE accounts ADD COLUMN email_verified_at timestamptz;
ALTER TYPE account_token_purpose ADD VALUE 'verify_email';

-- Accounts that used the link of a mail before have proved the same.
UPDATE accounts SET email_verified_at = now()
WHERE id IN (SELECT account_id FROM audit_log
             WHERE action IN ('accept_invitation', 'reset_password', 'activate_account'));

-- Limits that an administrator has set for a game. The tier decides the others.
ALTER TABLE games ADD COLUMN limit_overrides jsonb NOT NULL DEFAULT '{}';
-- A game that uses more than half of a limit of its tier may grow to four times its use.
UPDATE games SET limit_overrides = found.overrides
FROM (
  SELECT game_id, jsonb_object_agg(has.resource, 4 * used) AS overrides
  FROM (
    SELECT game_id, resource::text, used FROM game_storage
    UNION ALL SELECT game_id, 'leaderboards', count(*) FROM leaderboards GROUP BY game_id
    UNION ALL SELECT game_id, 'achievements', count(*) FROM achievements GROUP BY game_id
    UNION ALL SELECT game_id, 'event_schemas', count(*) FROM event_schemas GROUP BY game_id
    UNION ALL SELECT game_id, 'members', count(*) FROM game_members GROUP BY game_id
  ) AS has
  JOIN games ON games.id = game_id
  JOIN (VALUES
    ('free', 'save_bytes', 1073741824), ('free', 'players', 100000),
    ('free', 'leaderboard_entries', 1000000), ('free', 'leaderboards', 100),
    ('free', 'achievements', 500), ('free', 'event_schemas', 500), ('free', 'members', 25),
    ('indie', 'save_bytes', 10737418240), ('indie', 'players', 1000000),
    ('indie', 'leaderboard_entries', 10000000), ('indie', 'leaderboards', 1000),
    ('indie', 'achievements', 1000), ('indie', 'event_schemas', 1000), ('indie', 'members', 100)
  ) AS tier (name, resource, allowed) ON tier.name = games.tier::text AND tier.resource = has.resource
  WHERE used > allowed / 2
  GROUP BY game_id
) AS found
WHERE games.id = found.game_id;
