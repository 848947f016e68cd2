import { Caption } from '../../../reports/report-card.tsx';
import { GroupName } from '../../../reports/group-name.tsx';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import { countOf, formatCount, formatShare } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import { ShareBar } from '../../../reports/share-bar.tsx';
import type { Funnel } from './funnel-steps.tsx';

type Group = Funnel['groups'][number];

/** Smaller groups have too few players to compare. */
const FEW_PLAYERS = 30;

/** The funnel of each group of players that share a value of the property. */
export function FunnelGroups({ funnel, property }: { funnel: Funnel; property: string }) {
  const { groups } = funnel;
  const whole = (group: Group) => group.steps.at(-1)!.share_of_first ?? 0;
  const told = groups.filter(
    ({ kind, steps }) => kind === 'value' && steps[0]!.players >= FEW_PLAYERS,
  );
  const unset = groups.find(({ kind }) => kind === 'none');
  const best = told.toSorted((a, b) => whole(b) - whole(a))[0];
  const highest = Math.max(...groups.map(whole), 0.01);
  return (
    <Card
      flush
      title={
        <span className="name">
          By <code>{property}</code>
        </span>
      }
    >
      <div style={{ padding: '2px 16px 8px' }}>
        <Caption>
          {best ? (
            <>
              Of groups of {FEW_PLAYERS} players and more, <b>{best.value}</b> gets furthest:{' '}
              {formatShare(whole(best))} of {countOf(best.steps[0]!.players, 'player')} took all
              steps.
            </>
          ) : (
            <>
              No value of <code>{property}</code> has {FEW_PLAYERS} players: too few to compare.
              {unset && ` It is not set for ${countOf(unset.steps[0]!.players, 'player')}.`}
            </>
          )}
        </Caption>
      </div>
      <DataTable
        label={`Funnel by ${property}`}
        rows={groups}
        rowKey={({ kind, value }) => `${kind} ${value}`}
        columns={[
          { id: 'group', head: 'Group', cell: (group) => <GroupName group={group} /> },
          ...funnel.steps.map((step, index) => ({
            id: `step ${index}`,
            head: <span className="truncate">{`${index + 1} ${step.event_name}`}</span>,
            align: 'end' as const,
            value: ({ steps }: Group) =>
              index === 0 ? steps[0]!.players : steps[index]!.share_of_first,
            cell: ({ steps }: Group) =>
              index === 0
                ? formatCount(steps[0]!.players)
                : formatShare(steps[index]!.share_of_first ?? 0),
          })),
          {
            id: 'all',
            head: 'All steps',
            width: 120,
            value: whole,
            cell: (group) => <ShareBar share={whole(group) / highest} />,
          },
        ]}
      />
    </Card>
  );
}
