import { describeReading } from '@overworld/contract/alerts/alert-words';
import type { AskTrialInTurns } from '../../platform/definitions/definition-kind.ts';
import type { FoundEffect } from '../../platform/definitions/effects.ts';
import { findWatchedMetric, requireMetric } from './alert-store.ts';
import type { Alerts } from './alerts.ts';
import { settingsOf } from './definition-kind.ts';

/**
 * Says whether an alert would fire for the last finished period. A plan does not say so, because it may change many
 * alerts, and each number may take seconds.
 */
export const askAlertTrial =
  ({ read }: Pick<Alerts, 'read'>): AskTrialInTurns =>
  async ({ database, game_id, tried_in }, { key, after }, call) => {
    const settings = settingsOf(key, after);
    const { metric_key } = settings;
    await requireMetric(database, game_id, settings);
    const defined_metric =
      metric_key === null ? null : await findWatchedMetric(database, game_id, metric_key);
    const rule = { ...settings, defined_metric };
    const tenant = { game_id, environment: tried_in };
    // A metric of the game waits for the turn of a report, so it must not hold a turn that others wait for.
    const reading =
      rule.metric === 'metric'
        ? await read(database, tenant, rule, call)
        : await call.read((in_turn) => read(in_turn, tenant, rule, call));
    const { value, baseline_value, is_met, period_started_at } = reading;
    const said = describeReading(rule, reading);
    const outcome =
      is_met === null
        ? 'The alert could not tell.'
        : is_met
          ? 'The alert would fire.'
          : 'The alert would be silent.';
    const trial: FoundEffect = {
      about: 'periods',
      environment: tried_in,
      part: null,
      state: is_met === null ? 'uncounted' : 'counted',
      numbers: {
        ...(value !== null && { value }),
        ...(baseline_value !== null && { baseline_value }),
        ...(is_met !== null && { periods: 1, met: Number(is_met) }),
      },
      words: `${rule.period === 'day' ? 'The last full day' : 'The last full hour'}: ${said} ${outcome}`,
      players: null,
      examples: is_met ? [{ player_id: null, at: period_started_at, words: said }] : [],
    };
    return [trial];
  };
