import { linesOf } from '../../../reports/players/split-lines.ts';
import { sum } from '../../../reports/summary.ts';
import { SHARES } from '../../../ui/charts/line-chart.tsx';
import { showName } from '../../../ui/shown-name.ts';
import type { Funnel } from './funnel-steps.tsx';

/** The properties of the lines of the players who took each step, one for each group. */
export const stepLines = ({ steps, groups }: Pick<Funnel, 'steps' | 'groups'>) => ({
  label: 'Share of the first step by group, step by step',
  periods: steps.map(({ event_name }, index) => `${index + 1} ${showName(event_name)}`),
  groups,
  lines: linesOf(groups, (of) => {
    const players = steps.map((_step, index) =>
      sum(of.map((group) => group.steps[index]!.players)),
    );
    const first = players[0]!;
    return {
      values: players.map((count) => (first === 0 ? null : count / first)),
      players: first,
    };
  }),
  scale: SHARES,
});
