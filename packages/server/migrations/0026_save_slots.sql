-- A player has several saves, one a slot, and older versions are kept besides the last ten of each.
--
-- The columns cost no rewrite. The indexes of the primary keys are built anew, while saves wait. Servers
-- of the release before must have stopped: they name the old keys.
ALTER TABLE saves
  ADD COLUMN slot text NOT NULL DEFAULT 'main',
  -- When `version` was saved; null: before this was recorded.
  ADD COLUMN saved_at timestamptz,
  -- Bit i: version - 1 - i was the last one of its hour, or may have been. Bits 0 to 8 are of the last
  -- ten versions; further ones are of those that the last write has pushed out of them.
  ADD COLUMN hour_ends integer NOT NULL DEFAULT 511;
ALTER TABLE saves
  DROP CONSTRAINT saves_pkey,
  ADD PRIMARY KEY (game_id, environment, player_id, slot);

-- The last ten versions: version n is in place n % 10. Older ones that are kept are copied when they
-- lose their place, so that most saves still are written where an old one was.
ALTER TABLE save_versions RENAME COLUMN slot TO place;
ALTER TABLE save_versions
  ADD COLUMN slot text NOT NULL DEFAULT 'main',
  DROP CONSTRAINT save_versions_pkey;
ALTER TABLE save_versions ADD PRIMARY KEY (game_id, environment, player_id, slot, place);

CREATE TABLE older_save_versions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  slot text NOT NULL,
  version bigint NOT NULL,
  data text NOT NULL,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, environment, player_id, slot, version)
);
ALTER TABLE older_save_versions ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TRIGGER older_save_versions_added AFTER INSERT ON older_save_versions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_save_bytes();
CREATE TRIGGER older_save_versions_removed AFTER DELETE ON older_save_versions
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_save_bytes();
