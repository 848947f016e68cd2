import { GroupsCard } from '../../../reports/groups-card.tsx';
import { GroupName } from '../../../reports/group-name.tsx';
import { FEW } from '@overworld/contract/percents';
import { shareColumn } from '../../../ui/share.tsx';
import { countOf, formatShare, isFew } from '../../../ui/format.ts';
import { PageSplitLines } from '../../../reports/players/split-chart.tsx';
import { stepLines } from './step-lines.ts';
import { column, numberColumn } from '../../../ui/tables/columns.tsx';
import type { Funnel } from './funnel-steps.tsx';

type Group = Funnel['groups'][number];

/** Shows the funnel of each group of players who share a value of the property. */
export function FunnelGroups({ funnel, property }: { funnel: Funnel; property: string }) {
  const { groups } = funnel;
  const whole = (group: Group) => group.steps.at(-1)!.share_of_first ?? 0;
  const toldShare = (group: Group) => (isFew(group.steps[0]!.players) ? null : whole(group));
  const told = groups.filter(({ kind, steps }) => kind === 'value' && !isFew(steps[0]!.players));
  const unset = groups.find(({ kind }) => kind === 'none');
  const best = told.toSorted((a, b) => whole(b) - whole(a))[0];
  return (
    <GroupsCard
      property={property}
      caption={
        best ? (
          <>
            Of groups of {FEW} players and more, <b>{best.value}</b> gets furthest:{' '}
            {formatShare(whole(best))} of {countOf(best.steps[0]!.players, 'player')} took all
            steps.
          </>
        ) : (
          <>
            No value of <code>{property}</code> has {FEW} players: too few to compare.
            {unset && ` It is not set for ${countOf(unset.steps[0]!.players, 'player')}.`}
          </>
        )
      }
      label={`Funnel by ${property}`}
      groups={groups}
      chart={<PageSplitLines {...stepLines(funnel)} />}
      columns={[
        column<Group>('group', 'Group', (group) => <GroupName group={group} />),
        ...funnel.steps.map((step, index) => {
          const head = <span className="truncate">{`${index + 1} ${step.event_name}`}</span>;
          const id = `step ${index}`;
          if (index === 0) return numberColumn(id, head, ({ steps }: Group) => steps[0]!.players);
          return shareColumn(id, head, ({ steps }: Group) => [
            steps[index]!.players,
            steps[0]!.players,
          ]);
        }),
        column<Group>('all', 'All steps', { width: 120, value: toldShare }, (group) => {
          const share = toldShare(group);
          return share !== null && <ShareBar share={share} />;
        }),
      ]}
    />
  );
}

/** Draws a bar that is full at a share of 100%. */
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
