import { useState } from 'react';
import { groupsOf } from '../../../reports/cards/card-groups.tsx';
import type { DrawCard } from '../../../reports/cards/draw-card.ts';
import { showName } from '../../../ui/shown-name.ts';
import { PathChart } from './path-chart.tsx';
import type { ChosenPlace } from './path-chart.tsx';
import { unitsOf } from './path-words.ts';
import type { Paths } from './path-words.ts';

export const drawPaths: DrawCard<'path'> = (paths) => {
  const { count, event_name, unit, groups } = paths;
  if (count === 0) return null;
  return {
    words: (
      <>
        <b>{unitsOf(count, paths)}</b> with <code className="name">{showName(event_name)}</code>
      </>
    ),
    chart: <PathsOfCard paths={paths} />,
    groups: groupsOf(unit === 'sessions' ? 'Sessions' : 'Players', groups, (group) => group.count),
  };
};

function PathsOfCard({ paths }: { paths: Paths }) {
  const [chosen, choose] = useState<ChosenPlace | null>(null);
  return (
    <PathChart
      paths={paths}
      name={paths.event_name}
      isNext={paths.direction === 'next'}
      chosen={chosen}
      onChoose={choose}
    />
  );
}
