import type { ReactNode } from 'react';
import { DrillDownButton } from '../drill-down/drill-down-button.tsx';
import { useDrillDown } from '../drill-down/cells.ts';
import type { Cell } from '../drill-down/cells.ts';
import { column } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { GroupName } from '../group-name.tsx';
import { groupWords } from '../group-words.ts';
import { GroupsCard } from '../groups-card.tsx';
import { usePlayerChoice } from './use-player-choice.ts';
import { splitWords } from './player-selection.ts';
import type { PlayerGroup } from './player-selection.ts';

/** The name of the group for players who do not have the tag, segment or property that splits the report. */
const unsetWords = (split_by: string) => (split_by.startsWith('property:') ? 'Not set' : 'Without');

/** A chart and a table of the groups of players that a split makes. Without a split, it shows nothing. */
export function SplitCard<G extends PlayerGroup>(props: {
  groups: readonly G[];
  columns: Column<G>[];
  /** A click on a group lists the players behind this number. If absent, groups cannot be clicked. */
  cell?: Cell;
  caption?: ReactNode;
  isWaiting: boolean;
  /** A chart with a line for each group. */
  chart?: ReactNode;
}) {
  const { groups, columns, cell, caption, isWaiting, chart } = props;
  const { canShow } = useDrillDown();
  const { split_by } = usePlayerChoice();
  if (split_by === '' || groups.length === 0) return null;
  const words = splitWords(split_by);
  return (
    <GroupsCard
      property={words}
      caption={
        caption ?? 'Players have the value that they have now. The largest groups come first.'
      }
      label={`By ${words}`}
      groups={groups}
      isWaiting={isWaiting}
      chart={chart}
      columns={[
        column('group', 'Players', { value: groupWords }, (group: G) => {
          const name = <GroupName group={group} unset={unsetWords(split_by)} />;
          if (cell === undefined || !canShow(group)) return name;
          return (
            <DrillDownButton cell={cell} group={group}>
              {name}
            </DrillDownButton>
          );
        }),
        ...columns,
      ]}
    />
  );
}
