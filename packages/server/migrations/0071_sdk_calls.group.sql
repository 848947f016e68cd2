-- Calls by API keys, by day (UTC) and by the SDK that the call names; kept for 30 days. A row without a name
-- counts the calls that name no SDK, the row 'other' those whose version is not counted alone.
CREATE TABLE sdk_calls (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  sdk text NOT NULL,
  version text NOT NULL,
  calls bigint NOT NULL,
  PRIMARY KEY (game_id, environment, day, sdk, version)
);
