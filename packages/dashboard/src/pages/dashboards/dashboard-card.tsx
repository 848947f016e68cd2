import { MAX_HOURLY_REPORT_DAYS } from '@overworld/contract/analytics/limits';
import type { Card as CardData } from '@overworld/contract/dashboards/cards';
import type { PinnedReport } from '@overworld/contract/dashboards/charts';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import type { Input } from '../../api/operations.ts';
import { countDays } from '../../reports/days/report-days.ts';
import { useGame } from '../../shell/game.ts';
import { Lines, Loaded } from '../../ui/page.tsx';
import { addressOf } from './card-address.ts';
import { CardChart } from './card-chart.tsx';
import type { RouteOf } from './report-data.ts';
import { CardFrame } from './card-frame.tsx';
import { ExperimentOfCard } from './draw-results.tsx';
import classes from './dashboard.module.css';

/** Slow reports: the server reads all the events, which takes several seconds. */
const SLOW: readonly PinnedReport[] = ['funnel', 'breakdown', 'revenue', 'path', 'results'];
const UPDATE_EVERY_MS = 60_000;
const RESULTS = 'GET /v1/games/{game_id}/experiments/{experiment_id}/results';

export interface Days {
  from: string;
  to: string;
}

/** A pinned chart in its frame. */
export function DashboardCard(props: {
  card: CardData;
  days: Days;
  words: string;
  grip: ReactNode;
  menu: ReactNode;
}) {
  const { card, days, words, grip, menu } = props;
  const { path } = useGame();
  const read = useCardReport(card, days);
  return (
    <CardFrame card={card} words={words} grip={grip} menu={menu} to={path(addressOf(card, days))}>
      <div className={read.isPlaceholderData ? classes.waiting : undefined}>
        <ExperimentOfCard report={card.report} error={read.error}>
          <Loaded query={read} skeleton={<Lines count={9} />}>
            {(data) => <CardChart card={card} data={data as never} />}
          </Loaded>
        </ExperimentOfCard>
      </div>
    </CardFrame>
  );
}

/** Loads the report of a card for these days, in the environment of the page. */
function useCardReport<R extends PinnedReport>(card: CardData, days: Days) {
  const { inEnvironment } = useGame();
  const query = new URLSearchParams(card.query);
  const question: Record<string, string | string[]> = {};
  for (const name of query.keys()) {
    const [first = '', ...others] = query.getAll(name);
    question[name] = others.length === 0 ? first : [first, ...others];
  }
  const isTooLong = countDays(days.from, days.to) > MAX_HOURLY_REPORT_DAYS;
  if (question.by === 'hour' && isTooLong) question.by = 'day';
  const { experiment_id, ...parameters } = question;
  const [route, ids, shown] =
    card.report === 'results'
      ? [RESULTS, { experiment_id }, parameters]
      : [`GET /v1/games/{game_id}/analytics/${card.report}`, {}, { ...question, ...days }];
  const input = inEnvironment(ids, shown) as unknown as Input<RouteOf<R>>;
  const slow = SLOW.includes(card.report) || 'players' in question || 'split_by' in question;
  return useRead(route as RouteOf<R>, input, {
    keep: true,
    slow,
    every: slow ? false : UPDATE_EVERY_MS,
  });
}
