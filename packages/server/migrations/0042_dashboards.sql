-- Charts that a studio has pinned side by side.
CREATE TABLE dashboards (
  game_id uuid NOT NULL REFERENCES games ON DELETE CASCADE,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL,
  position integer NOT NULL,
  -- Counts the changes of name and cards.
  version integer NOT NULL DEFAULT 1,
  -- The pinned charts in their order; `packages/contract/src/dashboards/cards.ts` has their form.
  cards jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- E-mail address; null: the command line.
  updated_by text,
  PRIMARY KEY (game_id, id)
);
