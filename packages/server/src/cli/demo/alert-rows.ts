import { randomUUID } from 'node:crypto';
import type { AlertRule } from '@overworld/contract/alerts/alert-words';
import { COMMON_STARTS } from '@overworld/contract/analytics/release-limits';
import type { ArchiveLine } from '../../features/backups/archive/format.ts';
import { at, table } from './demo-game.ts';
import type { DemoGame } from './demo-game.ts';
import { RELEASES } from './world.ts';

const DAY_MS = 86_400_000;

const ALERTS: (Partial<AlertRule> & Pick<AlertRule, 'metric' | 'threshold'> & { name: string })[] =
  [
    { name: 'Players stay away', metric: 'active_players', threshold: 20 },
    { name: 'Fewer players pay', metric: 'payers', threshold: 50 },
    {
      name: 'Events are refused',
      metric: 'refused_events_percent',
      comparison: 'above',
      threshold: 5,
    },
  ];

/**
 * Yields alerts, which are mailed to the owner of the demo. They are first checked a day after the demo is
 * made. By then its analytics have been built.
 */
export function* alertLines({ game_id, owner, days }: DemoGame): Generator<ArchiveLine> {
  const ids = ALERTS.map(() => randomUUID());
  const now = Date.now();
  const created_at = at(now - Math.min(days, 30) * DAY_MS);
  yield table(
    'alerts',
    `game_id, id, environment, name, metric, period, comparison, threshold, baseline,
     cool_down_hours, muted, account_ids, webhook_ids, created_at, state, state_since, next_check_at`,
  );
  for (const [index, alert] of ALERTS.entries()) {
    const { name, metric, comparison = 'falls', threshold } = alert;
    const rule = [metric, 'day', comparison, `${threshold}`, 'usual', '24', 'false'];
    const times = [created_at, 'ok', at(now - 2 * DAY_MS), at(now + DAY_MS)];
    yield [
      game_id,
      ids[index]!,
      'production',
      name,
      ...rule,
      `{${owner.account_id}}`,
      '{}',
      ...times,
    ];
  }
  yield table(
    'alert_changes',
    'game_id, alert_id, at, state, period_started_at, value, baseline_value, notified',
  );
  for (const [state, days_ago, value] of [
    ['firing', 3, '71'],
    ['ok', 2, '104'],
  ] as const) {
    const checked_at = now - days_ago * DAY_MS;
    const numbers = [at(checked_at - DAY_MS), value, '98', 'true'];
    yield [game_id, ids[0]!, at(checked_at), state, ...numbers];
  }
}

/**
 * Yields the annotations of charts. The annotation of a sale is
 * on the day on which the demo's config gets its second version.
 */
export function* annotationLines(game: DemoGame): Generator<ArchiveLine> {
  const { game_id, until, days, developer } = game;
  yield table('annotations', 'game_id, environment, day, text, author_email');
  const day = at(until - (days / 3) * DAY_MS).slice(0, 10);
  yield [game_id, 'production', day, 'Harvest sale begins', developer.email];
}

/** Yields the versions of the game, as ingest would have noticed them. */
export function* releaseLines({ game_id, until, days }: DemoGame): Generator<ArchiveLine> {
  yield table(
    'releases',
    'game_id, environment, version, first_started_at, noticed_at, start_count, note',
  );
  for (const { version, days_left, crashes } of RELEASES) {
    const began_at = at(until - days * days_left * DAY_MS);
    const note = crashes ? 'New sails. Crashes on some phones' : null;
    yield [game_id, 'production', version, began_at, began_at, `${COMMON_STARTS}`, note];
  }
}

/**
 * Yields a webhook with two messages of the last days: one that arrived, and one that the server gave up after
 * several attempts.
 */
export function* webhookLines({ game_id, webhook }: DemoGame): Generator<ArchiveLine> {
  const now = Date.now();
  yield table(
    'webhooks',
    `game_id, id, url, description, environments, events, sealed_secret, created_at`,
  );
  const events = '{player.erased,quota.reached}';
  const settings = ['Support desk', '{production,development}', events, webhook.sealed_secret];
  yield [
    game_id,
    webhook.id,
    'https://hooks.studio.example/overworld',
    ...settings,
    at(now - 20 * DAY_MS),
  ];
  yield table(
    'webhook_deliveries',
    `game_id, webhook_id, event_type, environment, body, created_at, next_attempt_at, attempts, step,
     delivered_at, last_attempt_at, answer_status, answer_text, error, duration_ms`,
  );
  for (const { type, environment, data, sent_at, answer } of [
    {
      type: 'player.erased',
      environment: 'production',
      data: { environment: 'production', player_id: 'guest-1207', erased_at: at(now - 3 * DAY_MS) },
      sent_at: now - 3 * DAY_MS,
      answer: { attempts: 1, status: 204, text: '', error: null },
    },
    {
      type: 'quota.reached',
      environment: null,
      data: { month: at(now).slice(0, 7), percent: 80, used: 8_000_214, quota: 10_000_000 },
      sent_at: now - 2 * DAY_MS,
      answer: { attempts: 9, status: 503, text: 'Maintenance', error: 'The answer was 503' },
    },
  ]) {
    const { attempts, status, text, error } = answer;
    const body = JSON.stringify({ type, timestamp: at(sent_at), data: { game_id, ...data } });
    const tried_at = at(sent_at + (error === null ? 1_000 : DAY_MS));
    const counts = [`${attempts}`, `${attempts}`, error === null ? tried_at : null];
    const last = [tried_at, `${status}`, text, error, '84'];
    yield [game_id, webhook.id, type, environment, body, at(sent_at), null, ...counts, ...last];
  }
}
