-- The treatment of events that break their schema in development; null: as in production, whose setting
-- `event_validation` is from now on.
ALTER TABLE games ADD COLUMN development_event_validation event_validation;
