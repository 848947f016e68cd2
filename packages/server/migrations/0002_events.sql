-- Events from the request that brought them to the timelines that show them.

-- Events accepted in each UTC calendar month, exactly, with the quota at the time.
CREATE TABLE event_usage (
  game_id uuid NOT NULL,
  month date NOT NULL,
  used bigint NOT NULL,
  -- Accepted events of the last batch, for the statement that stores them.
  last_accepted bigint NOT NULL,
  quota bigint NOT NULL,
  PRIMARY KEY (game_id, month)
) WITH (fillfactor = 50);

-- Events by API key, counted when the events are processed.
CREATE TABLE event_key_usage (
  game_id uuid NOT NULL,
  month date NOT NULL,
  key_id uuid NOT NULL,
  environment environment NOT NULL,
  event_count bigint NOT NULL,
  PRIMARY KEY (game_id, month, key_id)
) WITH (fillfactor = 50);

-- Acknowledged requests that wait for processing, each as the text of a JSON list.
CREATE TABLE event_inbox (
  game_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  environment environment NOT NULL,
  key_id uuid NOT NULL,
  received_at timestamptz NOT NULL,
  -- The number of accepted events, from the start of the list.
  event_count integer NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (game_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
        autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_threshold = 100000);
-- Rows live for a second, and compressing them costs more than writing them.
ALTER TABLE event_inbox ALTER COLUMN body SET STORAGE EXTERNAL;
-- The order in which rows are processed.
CREATE INDEX event_inbox_order ON event_inbox (id);

-- Rows of the inbox that could not be read. The table should always be empty.
CREATE TABLE event_quarantine (
  game_id uuid NOT NULL,
  inbox_id bigint NOT NULL,
  environment environment NOT NULL,
  key_id uuid NOT NULL,
  received_at timestamptz NOT NULL,
  event_count integer NOT NULL,
  body text NOT NULL,
  reason text NOT NULL,
  quarantined_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, inbox_id)
);

-- Requests with an Idempotency-Key, and their answers.
CREATE TABLE event_idempotency_keys (
  game_id uuid NOT NULL,
  -- The API key of the request.
  key_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  -- SHA-256 of the body, hexadecimal.
  body_hash text NOT NULL,
  answer text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, key_id, idempotency_key)
);
CREATE INDEX event_idempotency_keys_expiry ON event_idempotency_keys (expires_at);

-- Partitions are months, named like events_2026_03; the server makes them ahead of time. Fixed-width
-- columns come first, so that no row is padded.
CREATE TABLE events (
  -- The number of its inbox row times 128, plus its place in the request. It rises with receipt.
  id bigint NOT NULL,
  received_at timestamptz NOT NULL,
  -- Time for analytics: client_timestamp where it is credible, else received_at.
  occurred_at timestamptz NOT NULL,
  client_timestamp timestamptz,
  environment environment NOT NULL,
  game_id uuid NOT NULL,
  key_id uuid NOT NULL,
  event_name text NOT NULL,
  session_id text NOT NULL,
  player_id text,
  properties jsonb NOT NULL,
  PRIMARY KEY (game_id, environment, received_at, id)
) PARTITION BY RANGE (received_at);
CREATE INDEX events_player ON events (game_id, environment, player_id, received_at, id)
  WHERE player_id IS NOT NULL;
CREATE INDEX events_name ON events (game_id, environment, event_name, received_at, id);

CREATE TABLE sessions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  -- Empty where the events of the session name no player.
  player_id text NOT NULL,
  session_id text NOT NULL,
  -- By events.occurred_at.
  started_at timestamptz NOT NULL,
  last_event_at timestamptz NOT NULL,
  event_count bigint NOT NULL,
  PRIMARY KEY (game_id, environment, player_id, session_id)
) WITH (fillfactor = 80);

-- JSON Schemas of events' properties, for both environments.
CREATE TABLE event_schemas (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  event_name text NOT NULL,
  -- As text, so that it comes back as it was written.
  schema text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (game_id, event_name)
);
