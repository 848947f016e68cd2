import { groupsOf } from '../../../reports/cards/card-groups.tsx';
import type { DrawCard } from '../../../reports/cards/draw-card.ts';
import { todayIn } from '../../../reports/days/report-days.ts';
import { countOf } from '../../../ui/format.ts';
import { CountsChart, findEvent } from './counts-chart.tsx';

export const drawEventCounts: DrawCard<'events'> = (counts, { query }) => {
  const chosen = findEvent(counts, query.get('event_name'));
  const { to, time_zone, groups } = counts;
  return {
    words: <b>{countOf((chosen ?? counts).event_count, 'event')}</b>,
    chart: <CountsChart counts={counts} chosen={chosen} isUnfinished={to >= todayIn(time_zone)} />,
    groups: groupsOf('Events', groups, ({ event_count }) => event_count),
  };
};
