-- Raised each time somebody sets a scheduled change, so that of two editors the second is told.
ALTER TABLE config_schedules ADD COLUMN version integer NOT NULL DEFAULT 1;
