import type { ReportCell } from '@overworld/contract/analytics/report-cell';
import { parseOr } from '../../api/exact-json.ts';
import { spanWords } from '../../ui/format.ts';
import { useSearchState } from '../../ui/search-state.ts';
import { usePlayerChoice } from '../players/use-player-choice.ts';
import { readSelection, writeSelection } from '../players/player-selection.ts';
import type { PlayerGroup, PlayerSelection } from '../players/player-selection.ts';
import { REPORT_PAGES } from '../report-pages.ts';

export type Cell = ReportCell;

/** A number of a report, and the players whom the report is limited to. */
interface DrillDown {
  cell: Cell;
  players: PlayerSelection;
}

/** Reads from the URL which number of a report was opened, to list its players; null if none was opened. */
function readDrillDown(text: string | null): DrillDown | null {
  const value = parseOr(text ?? '', null) as { cell?: Cell; players?: unknown } | null;
  if (typeof value?.cell?.report !== 'string') return null;
  return { cell: value.cell, players: readSelection(JSON.stringify(value.players ?? {})) };
}

/** Opens and closes the list of the players behind a number. */
export function useDrillDown() {
  const { search, set } = useSearchState();
  const { selection, split_by } = usePlayerChoice();
  const write = (drill_down: DrillDown | null) =>
    set({
      drill_down:
        drill_down === null
          ? null
          : JSON.stringify({
              cell: drill_down.cell,
              players: parseOr(writeSelection(drill_down.players), {}),
            }),
    });
  return {
    shown: readDrillDown(search.get('drill_down')),
    show: (cell: Cell, group?: PlayerGroup) => {
      const players = group === undefined ? selection : narrow(selection, split_by, group);
      if (players !== null) write({ cell, players });
    },
    change: (cell: Cell, players: PlayerSelection) => write({ cell, players }),
    close: () => write(null),
    /**
     * Tells whether the players of a group can be listed. This is not possible for the group `other`, nor for
     * the group of all players who are not in a segment.
     */
    canShow: (group: PlayerGroup) => narrow(selection, split_by, group) !== null,
  };
}

/** Narrows the selection to the players of a group; null if no condition selects those players. */
function narrow(
  selection: PlayerSelection,
  split_by: string,
  { kind, value }: PlayerGroup,
): PlayerSelection | null {
  const [by = '', ...rest] = split_by.split(':');
  const name = rest.join(':');
  if (kind === 'other' || name === '') return null;
  if (by === 'property') {
    return { ...selection, values: [...selection.values, { property: name, value }] };
  }
  if (by === 'tag') {
    return kind === 'value'
      ? { ...selection, tags: [...selection.tags, name] }
      : { ...selection, without_tags: [...selection.without_tags, name] };
  }
  return kind === 'value' && selection.segment === null ? { ...selection, segment: name } : null;
}

/** Describes the players behind a number. */
export function describeCell(cell: Cell): string {
  const days = spanWords(cell.from, cell.to);
  // The URL may name any report.
  return REPORT_PAGES[cell.report]?.describeCell?.(cell, days) ?? days;
}
