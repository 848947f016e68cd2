import type { ArchiveLine } from '../archive/format.ts';
import { at, table } from './demo-game.ts';

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
