import type { Card } from '@overworld/contract/dashboards/cards';
import type { PinnedReport } from '@overworld/contract/dashboards/charts';

/** For each report, its page and the URL parameter that chooses the chart. */
const PAGES: Record<PinnedReport, { page: string; tab?: string; chart?: string }> = {
  'active-players': { page: 'active-players', chart: 'figure' },
  retention: { page: 'retention' },
  sessions: { page: 'sessions', chart: 'figure' },
  events: { page: 'events', tab: 'counts' },
  'data-quality': { page: 'events', tab: 'quality', chart: 'figure' },
  funnel: { page: 'funnels' },
  breakdown: { page: 'breakdown', chart: 'show' },
  revenue: { page: 'revenue', chart: 'figure' },
  path: { page: 'paths' },
  results: { page: 'experiments' },
};

/** Returns the path and the query of a card's report, relative to the path of the environment. */
export function addressOf(card: Card, days: { from: string; to: string }): string {
  const { page, tab, chart } = PAGES[card.report];
  const search = new URLSearchParams(card.query);
  if (card.report === 'results') return `${page}/${search.get('experiment_id')}`;
  if (tab) search.set('tab', tab);
  if (chart) search.set(chart, card.chart);
  if (card.last_days !== null && ['1', '7', '30', '90'].includes(String(card.last_days))) {
    search.set('range', String(card.last_days));
  } else {
    search.set('from', days.from);
    search.set('to', days.to);
  }
  return `${page}?${search}`;
}
