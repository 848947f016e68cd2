-- What happened to the save of each player: a row is one change, the newest row is the state. Rows
-- are inserted and, past the kept versions, deleted, never updated. With 1 KB saves that cost the
-- same as a head row and a ring of slots (35 to 70 µs a save in PostgreSQL), with one table.
CREATE TABLE save_changes (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  -- 1, 2, 3… with every change. Who inserts the next one decided on the state it read.
  revision bigint NOT NULL,
  -- What callers see: raised by each save, kept by a deletion.
  version bigint NOT NULL,
  -- The text as it was sent, never read as JSON here; null: the save was deleted.
  data text,
  changed_at timestamptz NOT NULL DEFAULT statement_timestamp(),
  PRIMARY KEY (game_id, environment, player_id, revision)
);
-- Compressing 100 KB costs more than writing it.
ALTER TABLE save_changes ALTER COLUMN data SET STORAGE EXTERNAL;
