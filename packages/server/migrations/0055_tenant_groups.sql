-- The schema with the data of a game, on installations with several groups.
ALTER TABLE games ADD COLUMN tenant_group smallint NOT NULL DEFAULT 0;
ALTER TABLE game_deletions ADD COLUMN tenant_group smallint NOT NULL DEFAULT 0;

-- Groups that have a migration which others do not have yet.
CREATE TABLE group_migrations (
  tenant_group smallint,
  name text,
  PRIMARY KEY (tenant_group, name)
);
