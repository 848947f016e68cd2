import { useElementSize } from '@mantine/hooks';
import { Fragment } from 'react';
import { Axes, HEIGHT } from './chart-axes.tsx';
import { ticksBetween, ticksTo } from './chart-scale.ts';
import { ChartMarks, useMarks } from './chart-marks.tsx';
import { ChartTip, useChosenPlace } from './chart-tip.tsx';
import { piecesOf } from './pieces.ts';
import { formatCompact, formatCount, formatDuration, formatRatio, formatShare } from '../format.ts';
import classes from './line-chart.module.css';

export interface Series {
  name: string;
  /** A number for each period; null for a period without one, where the line has a gap. */
  values: readonly (number | null)[];
  /** True if the series is there only for comparison, so it gets a neutral colour. */
  isCompared?: boolean;
  /**
   * True if all periods of the series are over, as in a series that shows an earlier range for comparison.
   */
  isOver?: boolean;
  /** True if the periods after the last number have not begun yet. */
  hasFuture?: boolean;
}

interface LineChartProps {
  /** Names the chart for readers who cannot see it. */
  label: string;
  /** The names of the periods, in order. */
  periods: readonly string[];
  /**
   * The day of each period, or the start of the hour if the periods are hours. The marks of the chart, such as
   * annotations, are placed by them.
   */
  times?: readonly string[];
  series: readonly Series[];
  /** True if the last period with a number is not over yet, so the lines to it are dashed. */
  isLastUnfinished?: boolean;
  /** Formats the numbers; by default as counts. */
  scale?: Scale;
}

/** Formats numbers in full and for the axis, and gives the unit of the axis. */
export interface Scale {
  value: (value: number) => string;
  tick: (value: number) => string;
  unit: number;
}

export const COUNTS: Scale = { value: formatCount, tick: formatCompact, unit: 1 };
export const SHARES: Scale = { value: formatShare, tick: formatShare, unit: 0.01 };
export const SECONDS: Scale = { value: formatDuration, tick: formatDuration, unit: 60 };
export const RATIOS: Scale = { value: formatRatio, tick: formatRatio, unit: 0.1 };
const INSET = { top: 12, right: 8, bottom: 26, left: 44 };
/** A chart of numbers over time. The pointer or the arrow keys show the numbers of one period. */
export function LineChart(props: LineChartProps) {
  const { label, periods, times, series, isLastUnfinished = false, scale = COUNTS } = props;
  const { ref, width } = useElementSize();
  const last = periods.length - 1;
  const numbers = series.flatMap(({ values }) => values.map((value) => value ?? 0));
  const [lowest, highest] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const ticks = lowest < 0 ? ticksBetween(lowest, highest) : ticksTo(highest, scale.unit);
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  const inner = {
    width: width - INSET.left - INSET.right,
    height: HEIGHT - INSET.top - INSET.bottom,
  };
  const x = (place: number) =>
    INSET.left + (last > 0 ? (place / last) * inner.width : inner.width / 2);
  const bottom = INSET.top + inner.height;
  const y = (value: number) => bottom - inner.height * ((value - low) / (high - low));

  const marks = useMarks(times);
  const { at, choose, handlers } = useChosenPlace(periods.length, (left) =>
    Math.round(((left - INSET.left) / inner.width) * last),
  );

  return (
    <div ref={ref} className={classes.chart} role="group" aria-label={label} {...handlers}>
      {width === 0 ? (
        <div style={{ height: HEIGHT }} />
      ) : (
        // When the chart gets less room, as on paper, the browser shrinks the drawing until React draws it
        // again.
        <svg className={classes.svg} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden>
          <Axes
            {...{ x, y, ticks, periods, bottom, at }}
            write={scale.tick}
            left={INSET.left}
            right={width - INSET.right}
            marked={marks?.places.map(([place]) => place)}
          />
          {series.map((each) => (
            <Line
              key={each.name}
              series={each}
              x={x}
              y={y}
              at={at}
              // A compared series may end before the unfinished period.
              isLastUnfinished={isLastUnfinished && !each.isOver && each.values.length > last}
            />
          ))}
        </svg>
      )}
      {marks !== null && width > 0 && (
        <ChartMarks marks={marks} periods={periods} x={x} top={bottom} onFocus={choose} />
      )}
      {series.length > 1 && (
        <ul className={classes.legend} aria-hidden>
          {series.map((each) => (
            <li key={each.name} style={{ '--line': colorOf(each) } as object}>
              {each.name}
            </li>
          ))}
        </ul>
      )}
      {at !== null && (
        <ChartTip
          title={periods[at] ?? ''}
          rows={series.flatMap(({ name, values: { [at]: value }, hasFuture }) => {
            if (value === undefined) return [];
            const none = hasFuture ? 'not yet' : '–';
            return [[name, value === null ? none : scale.value(value)] as const];
          })}
          notes={marks?.textsAt(at)}
          x={x(at)}
          width={width}
        />
      )}
    </div>
  );
}

const colorOf = ({ isCompared = false }: Series) =>
  isCompared ? 'var(--chart-compared)' : 'var(--chart)';

function Line(props: {
  series: Series;
  x: (place: number) => number;
  y: (value: number) => number;
  at: number | null;
  isLastUnfinished: boolean;
}) {
  const { series, x, y, at, isLastUnfinished } = props;
  const { values, isCompared = false, hasFuture = false } = series;
  const end = values.findLastIndex((value) => value !== null);
  const isUnfinished = isLastUnfinished && end >= 0 && (hasFuture || end === values.length - 1);
  const point = (place: number) => `${x(place).toFixed(1)},${y(values[place]!).toFixed(1)}`;
  const chosen = at === null ? null : (values[at] ?? null);
  return (
    <g style={{ '--line': colorOf(series) } as object}>
      {piecesOf(values, isUnfinished ? end : -1).map((places) => {
        const [first, last] = [places[0]!, places.at(-1)!];
        if (first === last) {
          return (
            <circle
              key={first}
              className={classes.point}
              cx={x(first)}
              cy={y(values[first]!)}
              r={2.5}
            />
          );
        }
        const points = places.map(point);
        return (
          <Fragment key={first}>
            {!isCompared && (
              <path
                className={classes.area}
                d={`M${x(first)},${y(0)}L${points.join('L')}L${x(last)},${y(0)}Z`}
              />
            )}
            <polyline className={classes.line} points={points.join(' ')} />
          </Fragment>
        );
      })}
      {isUnfinished && (
        <>
          {end > 0 && values[end - 1] !== null && (
            <polyline
              className={classes.line}
              data-unfinished
              points={`${point(end - 1)} ${point(end)}`}
            />
          )}
          <circle className={classes.unfinished} cx={x(end)} cy={y(values[end]!)} r={3.5} />
        </>
      )}
      {at !== null && chosen !== null && (
        <circle className={classes.dot} cx={x(at)} cy={y(chosen)} r={4.5} />
      )}
    </g>
  );
}
