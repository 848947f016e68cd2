import type { DrawCard } from '../../../reports/cards/draw-card.ts';
import { GroupName } from '../../../reports/group-name.tsx';
import { formatCount } from '../../../ui/format.ts';
import { Note } from '../../../ui/text.tsx';
import { MeasureBars } from './measure-bars.tsx';
import { MEASURES, rankGroups, writeMeasure } from './measures.ts';

/** With more bars, the card would be longer than the charts beside it. */
const BARS_SHOWN = 8;

export const drawBreakdown: DrawCard<'breakdown'> = ({ total, groups }, { chart }) => {
  const measure = MEASURES.find(({ value }) => value === chart) ?? MEASURES[0];
  if (total.events === 0) return null;
  const hidden = groups.length - BARS_SHOWN;
  return {
    words: (
      <>
        <b>{writeMeasure(measure, total)}</b> {measure.name.toLowerCase()} in all
      </>
    ),
    chart: (
      <>
        <MeasureBars
          measure={measure}
          rows={rankGroups(groups, measure).slice(0, BARS_SHOWN)}
          nameOf={(group) => <GroupName group={group} />}
        />
        {hidden > 0 && <Note mt={8}>And {formatCount(hidden)} more</Note>}
      </>
    ),
  };
};
