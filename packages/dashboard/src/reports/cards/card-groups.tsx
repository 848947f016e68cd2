import { RankedBars } from '../../ui/charts/ranked-bars.tsx';
import { formatCount, isFew, writeShare } from '../../ui/format.ts';
import { Note } from '../../ui/text.tsx';
import { GroupName } from '../group-name.tsx';
import type { PlayerGroup } from '../players/player-selection.ts';
import type { GroupNumbers } from './draw-card.ts';

/** Makes the number of each group. */
export const groupsOf = <G extends PlayerGroup>(
  words: string,
  groups: readonly G[],
  of: (group: G) => number | null,
  write: (number: number) => string = formatCount,
): GroupNumbers => ({
  words,
  bars: groups.map((group) => {
    const number = of(group);
    const { kind, value } = group;
    return { kind, value, number, text: number === null ? '–' : write(number) };
  }),
});

/** Makes the share of each group. A group that is too small stands aside, with its count. */
export const sharesOf = <G extends PlayerGroup>(
  words: string,
  groups: readonly G[],
  partsOf: (group: G) => readonly [part: number, whole: number],
): GroupNumbers => ({
  words,
  full: 1,
  bars: groups.map((group) => {
    const { kind, value } = group;
    const [part, whole] = partsOf(group);
    return {
      kind,
      value,
      number: isFew(whole) ? null : part / whole,
      text: isFew(whole)
        ? writeShare(part, whole)
        : `${writeShare(part, whole)} of ${formatCount(whole)}`,
    };
  }),
});

/** The number of each group of players in a card whose report is split. */
export function CardGroups({ groups: { words, full, bars } }: { groups: GroupNumbers }) {
  if (bars.length === 0) return null;
  return (
    <>
      <Note mt={12}>{words}</Note>
      <RankedBars
        full={full}
        label={`${words}, by group`}
        bars={bars.map(({ kind, value, number, text }) => ({
          key: `${kind} ${value}`,
          name: <GroupName group={{ kind, value }} />,
          value: number,
          text,
          isAside: kind !== 'value',
        }))}
      />
    </>
  );
}
