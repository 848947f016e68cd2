-- Links by which everybody who has them sees a dashboard.
CREATE TABLE dashboard_links (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  dashboard_id uuid NOT NULL,
  environment environment NOT NULL,
  -- SHA-256 of the secret.
  token_hash text NOT NULL,
  note text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- E-mail address; null: the command line.
  created_by text,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz,
  PRIMARY KEY (game_id, id)
);
CREATE INDEX dashboard_links_token ON dashboard_links (token_hash);
CREATE INDEX dashboard_links_dashboard ON dashboard_links (game_id, dashboard_id);
