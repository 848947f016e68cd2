import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { ArchiveLine } from '../../features/backups/archive/format.ts';
import { at, table } from './demo-game.ts';
import type { DemoGame } from './demo-game.ts';

/** Reports that a studio needs often. */
export function* savedReportLines(game_id: string): Generator<ArchiveLine> {
  const stepsOf = (...names: string[]) =>
    JSON.stringify(names.map((event_name) => ({ event_name })));
  const first = ['session_start', 'tutorial_start', 'tutorial_complete', 'level_complete'];
  const event_conditions = [
    { event_name: 'shop_opened', at_least: 3 },
    { event_name: 'purchase', did: false },
  ];
  const reports = [
    ['funnel', 'First steps', { steps: stepsOf(...first), breakdown: 'platform' }],
    ['funnel', 'Shop', { steps: stepsOf('level_complete', 'shop_opened', 'purchase') }],
    [
      'breakdown',
      'Spending by item',
      { event_name: 'purchase', group_by: 'item', property: 'price' },
    ],
    ['segment', 'Window shoppers', { events: JSON.stringify(event_conditions) }],
  ] as const;
  yield table('saved_reports', 'game_id, kind, name, query, updated_at');
  for (const [kind, name, query] of reports) {
    yield [game_id, kind, name, new URLSearchParams(query).toString(), at(Date.now())];
  }
}

/** The settings of revenue: the purchase event, and rates of the dollar for two periods. */
export function* revenueSettingsLines({ game_id, until, days }: DemoGame): Generator<ArchiveLine> {
  const dayBefore = (share: number) => at(until - days * share * 86_400_000).slice(0, 10);
  const settings: RevenueSettings = {
    event_name: 'purchase',
    filter: [],
    amount_property: 'price',
    amount_unit: 'major',
    currency_property: 'currency',
    currency: null,
    report_currency: 'EUR',
    rates: [
      { currency: 'USD', valid_from: dayBefore(1), rate: 0.92 },
      { currency: 'USD', valid_from: dayBefore(0.4), rate: 0.86 },
    ],
  };
  yield table('revenue_settings', 'game_id, settings, updated_at');
  yield [game_id, JSON.stringify(settings), at(Date.now())];
}
