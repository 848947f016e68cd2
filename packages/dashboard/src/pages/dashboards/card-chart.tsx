import type { PinnedReport } from '@overworld/contract/analytics/reports';
import { CardGroups } from '../../reports/cards/card-groups.tsx';
import type { ChartOf, DrawCard } from '../../reports/cards/draw-card.ts';
import { scopeWords } from '../../reports/pinning/scope-words.ts';
import type { ReportData } from '../../reports/report-data.ts';
import { Dimmed, Note } from '../../ui/text.tsx';
import { drawActivePlayers } from '../analytics/active-players/card.ts';
import { drawBreakdown } from '../analytics/breakdown/card.tsx';
import { drawFunnel } from '../analytics/funnels/card.tsx';
import { drawLifetimeValue } from '../analytics/lifetime-value/card.tsx';
import { drawPaths } from '../analytics/paths/card.tsx';
import { drawProgression } from '../analytics/progression/card.tsx';
import { drawRetention } from '../analytics/retention/card.tsx';
import { drawRevenue } from '../analytics/revenue/card.tsx';
import { drawSessions } from '../analytics/sessions/card.tsx';
import { drawEventCounts } from '../events/counts/card.tsx';
import { drawDataQuality } from '../events/quality/card.ts';
import { drawMetricCard } from '../metrics/card.tsx';
import { drawResults } from '../experiments/results/card.tsx';
import classes from './dashboard.module.css';

const DRAW: { [R in PinnedReport]: DrawCard<R> } = {
  'active-players': drawActivePlayers,
  retention: drawRetention,
  sessions: drawSessions,
  events: drawEventCounts,
  'data-quality': drawDataQuality,
  funnel: drawFunnel,
  breakdown: drawBreakdown,
  metric: drawMetricCard,
  revenue: drawRevenue,
  'lifetime-value': drawLifetimeValue,
  path: drawPaths,
  progression: drawProgression,
  results: drawResults,
};

/** The parts of the scope of a card: filters, split and currency. The frame of the card shows the days. */
function Scope({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <Note mb={4} className="name">
      {words.join(' · ')}
    </Note>
  );
}

/** Names the currency of the amounts in a card that was pinned without one. */
function currencyWords(query: URLSearchParams, data: unknown): string[] {
  if (query.has('currency')) return [];
  const { currency = null, is_converted = false } = data as Partial<ReportData['revenue']>;
  if (currency === null) return [];
  return [is_converted ? `all currencies, converted into ${currency}` : `only ${currency}`];
}

/** Draws the chart of a card from the answer of its report. */
export function CardChart<R extends PinnedReport>(props: {
  card: { report: R; chart: string; query: string };
  data: ReportData[R];
}) {
  const { card, data } = props;
  const query = new URLSearchParams(card.query);
  const drawn = DRAW[card.report](data, { chart: card.chart as ChartOf<R>, query });
  const scope = <Scope words={[...scopeWords(query), ...currencyWords(query, data)]} />;
  if (drawn === null) {
    return (
      <>
        {scope}
        <Dimmed py={48} ta="center">
          Nothing in these days
        </Dimmed>
      </>
    );
  }
  return (
    <>
      {scope}
      <p className={classes.words}>{drawn.words}</p>
      {drawn.chart}
      {drawn.groups && <CardGroups groups={drawn.groups} />}
    </>
  );
}
