import { MAX_HOURLY_REPORT_DAYS } from '@overworld/contract/analytics/limits';
import { REPORTS } from '@overworld/contract/analytics/reports';
import type { PinnedReport } from '@overworld/contract/analytics/reports';
import type { Card as CardData } from '@overworld/contract/dashboards/cards';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import type { Input } from '../../api/operations.ts';
import { countDays } from '../../reports/days/report-days.ts';
import type { RouteOf } from '../../reports/report-data.ts';
import { OutsideDialog } from '../../reports/outside/outside-button.tsx';
import type { OutsideReport } from '../../reports/outside/outside-button.tsx';
import { useGame } from '../../shell/game.ts';
import { addressOf } from './card-address.ts';
import { CardFrame } from './card-frame.tsx';
import { CardReport } from './card-report.tsx';
import classes from './dashboard.module.css';

const UPDATE_EVERY_MS = 60_000;

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
  /** Makes the menu of the card. `onUseOutside` shows how to read its report outside the dashboard. */
  menuOf: (onUseOutside: () => void) => ReactNode;
}) {
  const { card, days, words, grip, menuOf } = props;
  const { path } = useGame();
  const [outside, dialog] = useDisclosure();
  const { report, slow } = useReportOf(card, days);
  const read = useRead(report.route, report.input, {
    keep: true,
    slow,
    every: slow ? false : UPDATE_EVERY_MS,
  });
  return (
    <CardFrame
      card={card}
      words={words}
      grip={grip}
      menu={menuOf(dialog.open)}
      to={path(addressOf(card, days))}
    >
      <div className={read.isPlaceholderData ? classes.waiting : undefined}>
        <CardReport card={card} query={read} reportOf={(data) => data} />
      </div>
      <OutsideDialog {...report} opened={outside} onClose={dialog.close} />
    </CardFrame>
  );
}

/** Returns the report of a card for these days, in the environment of the page. */
function useReportOf<R extends PinnedReport>(card: CardData, days: Days) {
  const { inEnvironment } = useGame();
  const query = new URLSearchParams(card.query);
  const question: Record<string, string | string[]> = {};
  for (const name of query.keys()) {
    const [first = '', ...others] = query.getAll(name);
    question[name] = others.length === 0 ? first : [first, ...others];
  }
  const isTooLong = countDays(days.from, days.to) > MAX_HOURLY_REPORT_DAYS;
  if (question.by === 'hour' && isTooLong) question.by = 'day';
  const { route, reads } = REPORTS[card.report];
  const { experiment_id, ...parameters } = question;
  const input = (card.report === 'results'
    ? inEnvironment({ experiment_id }, parameters)
    : inEnvironment({}, { ...question, ...days })) as unknown as Input<RouteOf<R>>;
  const isAboutSome = 'players' in question || 'split_by' in question;
  const report: OutsideReport<RouteOf<R>> = {
    route: route as RouteOf<R>,
    input,
    isTable: card.report !== 'results',
    role: isAboutSome ? 'viewer' : 'reports',
  };
  return { report, slow: reads === 'events' || isAboutSome };
}
