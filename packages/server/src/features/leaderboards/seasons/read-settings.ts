import type { BodyOf } from '@overworld/contract/operation';
import type { putLeaderboard } from '@overworld/contract/leaderboards/settings';
import type { Settings } from './settings-store.ts';

/** Turns the checked body of a PUT of a board into all settings of the board. */
export const readSettings = (body: BodyOf<typeof putLeaderboard>): Settings => ({
  order: body.order,
  keeps: body.keeps,
  tie_break: body.tie_break,
  reset_schedule: body.reset_schedule,
  min_score: body.min_score ?? null,
  max_score: body.max_score ?? null,
  season_rewards: body.season_rewards ?? [],
  writes_from: body.writes_from,
  on_violation: body.on_violation,
  max_gain: body.max_gain ?? null,
  first_gain_from: body.first_gain_from ?? null,
  max_gain_per_hour: body.max_gain_per_hour ?? null,
  min_submit_interval_ms: body.min_submit_interval_ms ?? null,
  required_metadata: [...new Set(body.required_metadata)],
  keeps_ledger: body.keeps_ledger ?? false,
  ledger_days: body.ledger_days,
});
