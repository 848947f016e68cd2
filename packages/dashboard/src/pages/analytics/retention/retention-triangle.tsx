import { Group, SegmentedControl } from '@mantine/core';
import { formatWholeShare } from '@overworld/contract/percents';
import { use, useState } from 'react';
import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react';
import { useDrillDown } from '../../../reports/drill-down/cells.ts';
import { OutsideContext } from '../../../reports/outside/outside-button.tsx';
import { Caption } from '../../../reports/report-card.tsx';
import { formatCompact, formatCount, isFew, writeShare } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import type { ReportState } from '../../../reports/use-report.tsx';
import { useSearchChoice } from '../../../ui/search-state.ts';
import { CohortTable } from './cohort-table.tsx';
import { cameBack, cohortsWithPlayers, lastDayOf, nameOf, newestTold, sayCell } from './cohorts.ts';
import type { Cohort, Retention } from './cohorts.ts';
import classes from './retention-triangle.module.css';
import { InZone } from '../../../ui/time/moment.tsx';

/** The share at which a cell is darkest. Few games have larger shares, and the text must stay readable. */
const FULL_SHARE = 0.6;
const DARKEST_PERCENT = 45;

/**
 * Returns the shade of a cell. All cells have one hue, which darkens
 * with the square root of the share, because most shares are small.
 */
const shadeOf = (share: number) =>
  ({
    '--shade': `${(DARKEST_PERCENT * Math.sqrt(Math.min(1, share / FULL_SHARE))).toFixed(1)}%`,
  }) as CSSProperties;

/** Writes a cell: a share or, of few players, the number who came back. The row has the number of all. */
export const cellText = (came: number, players: number): string =>
  isFew(players) ? formatCount(came) : formatWholeShare(came / players);

/** Returns the look of a cell. The number of few players is grey and has no shade. */
export const lookOf = (share: number, players: number) =>
  isFew(players) ? { 'data-few': true } : { style: shadeOf(share) };

interface Pointed {
  row: number;
  day: number;
}

/** Shows the players who came back, with a row for each cohort and a column for each day after the first. */
export function RetentionTriangle(props: { retention: Retention; report: ReportState }) {
  const { retention, report } = props;
  const { isWaiting } = report;
  const { average, time_zone } = retention;
  const cohorts = cohortsWithPlayers(retention);
  const [unit, setUnit] = useSearchChoice('cells', ['shares', 'players']);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const days = Array.from({ length: Math.max(1, lastDayOf(retention)) }, (_, index) => index + 1);

  const point = ({ target }: PointerEvent) => {
    const { row, day } = (target as HTMLElement).closest('td')?.dataset ?? {};
    setPointed(row && day ? { row: Number(row), day: Number(day) } : null);
  };
  const told = pointed && cohorts[pointed.row];
  const newest = newestTold(cohorts);
  const { show } = useDrillDown();
  const grid = useGrid();
  const outside = use(OutsideContext);

  return (
    <Card
      flush
      title="Who came back"
      actions={
        <Group gap={6} wrap="nowrap">
          <SegmentedControl
            size="xs"
            aria-label="Cells show"
            data={[
              { value: 'shares', label: 'Percent' },
              { value: 'players', label: 'Players' },
            ]}
            value={unit}
            onChange={setUnit}
          />
          {report.pinAndFile('cohorts', 'Retention')}
          {outside}
        </Group>
      }
    >
      <div className={classes.caption}>
        <Caption>
          {told
            ? sayCell(told, pointed.day)
            : newest
              ? sayCell(newest, 1)
              : 'Nobody’s second day is over yet.'}{' '}
          <InZone zone={time_zone} />
        </Caption>
      </div>
      <CohortTable
        label="Retention by cohort"
        days={days}
        isWaiting={isWaiting}
        table={{
          onPointerOver: point,
          onPointerLeave: () => setPointed(null),
          onKeyDown: grid.onKeyDown,
        }}
      >
        <tr className={classes.average}>
          <th scope="row">All</th>
          <td className={classes.count}>
            {formatCount(cohorts.reduce((total, each) => total + each.player_count, 0))}
          </td>
          {days.map((day) => {
            const share = average[day] ?? null;
            if (share === null) return <td key={day} />;
            const [came, players] = cameBack(cohorts, day);
            return (
              <td key={day} {...lookOf(share, players)}>
                {isFew(players) ? writeShare(came, players) : cellText(came, players)}
              </td>
            );
          })}
        </tr>
        {cohorts.map((cohort, row) => (
          <tr key={cohort.first_day}>
            <th scope="row">{nameOf(cohort)}</th>
            <td className={classes.count}>{formatCount(cohort.player_count)}</td>
            {days.map((day) => (
              <Cell
                key={day}
                cohort={cohort}
                row={row}
                day={day}
                inPlayers={unit === 'players'}
                isFirst={grid.isReachable(row, day)}
                onFocus={() => {
                  grid.note(row, day);
                  setPointed({ row, day });
                }}
                onOpen={() => {
                  const { first_day: from, last_day: to } = cohort;
                  show({ report: 'retention', from, to, day, returned: true });
                }}
              />
            ))}
          </tr>
        ))}
      </CohortTable>
    </Card>
  );
}

function Cell(props: {
  cohort: Cohort;
  row: number;
  day: number;
  inPlayers: boolean;
  /** True for the only cell that the Tab key can focus. The arrow keys can focus all cells. */
  isFirst: boolean;
  onFocus: () => void;
  onOpen: () => void;
}) {
  const { cohort, row, day, inPlayers, isFirst, onFocus, onOpen } = props;
  const came = cohort.active[day] ?? null;
  if (came === null) return <td />;
  const share = cohort.player_count === 0 ? null : came / cohort.player_count;
  if (share === null) return <td>–</td>;
  const text = inPlayers ? formatCompact(came) : cellText(came, cohort.player_count);
  return (
    <td data-row={row} data-day={day} {...lookOf(share, cohort.player_count)}>
      <button
        type="button"
        className={classes.cell}
        tabIndex={isFirst ? 0 : -1}
        aria-label={`${text}: ${sayCell(cohort, day)} Show the players`}
        onFocus={onFocus}
        onClick={onOpen}
      >
        {text}
      </button>
    </td>
  );
}

/**
 * Moves the focus between the cells with the arrow keys, and keeps only one cell
 * in the order of the Tab key. One press of Tab is then enough to leave the table.
 */
function useGrid() {
  const [at, setAt] = useState<Pointed>({ row: 0, day: 1 });
  return {
    isReachable: (row: number, day: number) => row === at.row && day === at.day,
    note: (row: number, day: number) => setAt({ row, day }),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const step = STEPS[event.key];
      const cell = (event.target as HTMLElement).closest('td');
      if (step === undefined || cell?.dataset.row === undefined) return;
      const row = Number(cell.dataset.row) + step.row;
      const day = Number(cell.dataset.day) + step.day;
      const next = event.currentTarget.querySelector<HTMLElement>(
        `td[data-row="${row}"][data-day="${day}"] button`,
      );
      if (next === null) return;
      event.preventDefault();
      next.focus();
    },
  };
}

const STEPS: Record<string, Pointed | undefined> = {
  ArrowUp: { row: -1, day: 0 },
  ArrowDown: { row: 1, day: 0 },
  ArrowLeft: { row: 0, day: -1 },
  ArrowRight: { row: 0, day: 1 },
};
