import { groupsOf } from '../../../reports/cards/card-groups.tsx';
import type { DrawCard } from '../../../reports/cards/draw-card.ts';
import { todayIn } from '../../../reports/days/report-days.ts';
import { CardSplitLines } from '../../../reports/players/split-chart.tsx';
import { countOf } from '../../../ui/format.ts';
import { countLines, CountsChart, findEvent } from './counts-chart.tsx';

export const drawEventCounts: DrawCard<'events'> = (counts, { query }) => {
  const chosen = findEvent(counts, query.get('event_name'));
  const { to, time_zone, groups } = counts;
  const isUnfinished = to >= todayIn(time_zone);
  return {
    words: <b>{countOf((chosen ?? counts).event_count, 'event')}</b>,
    // The groups of the report count all events, so a card about one event shows that event alone.
    chart:
      groups.length > 0 && chosen === undefined ? (
        <CardSplitLines {...countLines(counts, isUnfinished)} />
      ) : (
        <CountsChart counts={counts} chosen={chosen} isUnfinished={isUnfinished} />
      ),
    groups: groupsOf('Events', groups, ({ event_count }) => event_count),
  };
};
