-- No index may be in the order of the locale of the database, which another release of the locale may change.
DROP INDEX audit_log_player;
CREATE INDEX audit_log_player ON audit_log (
  game_id, left(coalesce(details ->> 'player_id', target), 255) COLLATE "C",
  (details ->> 'environment') COLLATE "C", at, id);
