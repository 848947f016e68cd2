import type { Card } from '@overworld/contract/dashboards/cards';
import { PRESETS } from '../../reports/days/presets.ts';
import { REPORT_PAGES } from '../../reports/report-pages.ts';

/** Returns the path and the query of a card's report, relative to the path of the environment. */
export function addressOf(card: Card, days: { from: string; to: string }): string {
  const { path, tab, chart } = REPORT_PAGES[card.report];
  const search = new URLSearchParams(card.query);
  if (card.report === 'results') return `${path}/${search.get('experiment_id')}`;
  if (tab) search.set('tab', tab);
  if (chart) search.set(chart, card.chart);
  if (PRESETS.some(({ value }) => value === String(card.last_days))) {
    search.set('range', String(card.last_days));
  } else {
    search.set('from', days.from);
    search.set('to', days.to);
  }
  return `${path}?${search}`;
}
