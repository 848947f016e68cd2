import { GroupsCard } from '../../../reports/groups-card.tsx';
import { GroupName } from '../../../reports/group-name.tsx';
import { countOf, formatCount, formatShare } from '../../../ui/format.ts';
import { column, numberColumn } from '../../../ui/tables/columns.tsx';
import type { Funnel } from './funnel-steps.tsx';

type Group = Funnel['groups'][number];

/** The minimum number of players in a group that is compared with others. */
const FEW_PLAYERS = 30;

/** Shows the funnel of each group of players who share a value of the property. */
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
    <GroupsCard
      property={property}
      caption={
        best ? (
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
        )
      }
      label={`Funnel by ${property}`}
      groups={groups}
      columns={[
        column<Group>('group', 'Group', (group) => <GroupName group={group} />),
        ...funnel.steps.map((step, index) =>
          numberColumn(
            `step ${index}`,
            <span className="truncate">{`${index + 1} ${step.event_name}`}</span>,
            ({ steps }: Group) =>
              index === 0 ? steps[0]!.players : (steps[index]!.share_of_first ?? 0),
            index === 0 ? formatCount : formatShare,
          ),
        ),
        column<Group>('all', 'All steps', { width: 120, value: whole }, (group) => (
          <ShareBar share={whole(group) / highest} />
        )),
      ]}
    />
  );
}

/** Draws a bar for comparing rows. `share` is relative to the largest row. */
function ShareBar({ share }: { share: number }) {
  return (
    <div
      aria-hidden
      style={{ height: 10, borderRadius: 2, background: 'var(--hover)', overflow: 'hidden' }}
    >
      <div
        style={{
          width: `${Math.min(1, share) * 100}%`,
          minWidth: share > 0 ? 2 : 0,
          height: '100%',
          background: 'var(--chart)',
        }}
      />
    </div>
  );
}
