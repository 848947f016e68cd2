-- The continuing export of the events of each environment, from the time on at which it has a row here. Events
-- that were stored before are its history, and are exported first, in the order of receipt.
CREATE TABLE event_exports (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Events of the history up to this one are in files.
  history_at timestamptz NOT NULL DEFAULT '-infinity',
  history_id bigint NOT NULL DEFAULT -1,
  -- No event of the history is later. Null until the history is first read.
  history_ends_at timestamptz,
  is_history_done boolean NOT NULL DEFAULT false,
  file_count bigint NOT NULL DEFAULT 0,
  -- The file that is being written, with the last event of the history in it.
  file_name text,
  file_ends_at timestamptz,
  file_ends_id bigint,
  last_file_at timestamptz,
  PRIMARY KEY (game_id, environment)
);

-- Events that are not in files yet: the requests that one transaction has ingested of one environment and day
-- (UTC). Each row is stored with its events, and deleted when they are in a file.
CREATE TABLE event_export_batches (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  first_received_at timestamptz NOT NULL,
  batch_id uuid NOT NULL DEFAULT gen_random_uuid(),
  day date NOT NULL,
  inbox_ids bigint[] NOT NULL,
  received_at timestamptz[] NOT NULL,
  event_count integer NOT NULL,
  bytes bigint NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now(),
  is_planned boolean NOT NULL DEFAULT false,
  PRIMARY KEY (game_id, environment, first_received_at, batch_id)
);
CREATE INDEX event_export_batches_stored_at ON event_export_batches (stored_at);
-- Few of many batches are in the file that is being written.
CREATE INDEX event_export_batches_planned ON event_export_batches (game_id, environment) WHERE is_planned;
