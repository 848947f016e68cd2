-- The tasks that servers run in the background. If `next_run_at` is set, one server at a time runs the task, and
-- has it until `leased_until`. Otherwise every server runs the task, and each one notes its last run.
CREATE TABLE background_tasks (
  name text PRIMARY KEY,
  next_run_at timestamptz,
  leased_until timestamptz,
  runner uuid,
  last_started_at timestamptz,
  last_run_ms integer,
  -- The failures since the last run that succeeded.
  failures integer NOT NULL DEFAULT 0,
  last_failed_at timestamptz,
  last_error text
);
