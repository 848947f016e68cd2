-- Each webhook's first waiting message is one look-up, so the backlog of one webhook delays no other.
DROP INDEX webhook_deliveries_due;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (game_id, webhook_id, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
