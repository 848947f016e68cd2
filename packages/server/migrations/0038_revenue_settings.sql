-- The event that is a purchase in a game, and the exchange rates that the studio enters.
CREATE TABLE revenue_settings (
  game_id uuid PRIMARY KEY REFERENCES games ON DELETE CASCADE,
  settings jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
