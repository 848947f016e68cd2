-- The version of the game that saved, from the header overworld-app-version; null if it did not say.
ALTER TABLE save_versions ADD COLUMN app_version text;
ALTER TABLE older_save_versions ADD COLUMN app_version text;
