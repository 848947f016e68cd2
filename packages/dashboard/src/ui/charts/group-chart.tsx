import { useElementSize } from '@mantine/hooks';
import { Axes, HEIGHT } from './chart-axes.tsx';
import { ChartMarks, useMarks } from './chart-marks.tsx';
import { ticksBetween, ticksTo } from './chart-scale.ts';
import { ChartTip, useChosenPlace } from './chart-tip.tsx';
import { placeLabels, stackLines } from './group-lines.ts';
import type { GroupForm, GroupLine } from './group-lines.ts';
import { SHARES } from './line-chart.tsx';
import { piecesOf } from './pieces.ts';
import type { Scale } from './line-chart.tsx';
import classes from './group-chart.module.css';
import lineClasses from './line-chart.module.css';

const LABEL_GAP = 15;
const INSET = { top: 12, right: 8, bottom: 26, left: 44 };
/** In narrower charts the name of a single line stands below, because it is no choice between lines. */
const WIDE = 480;
/** Returns the width of the names beside the lines, in pixels. */
const namesWidth = (width: number) => Math.min(170, Math.max(84, width * 0.22)) + 10;

/**
 * A chart with a line for each group, named at its end. The pointer or the arrow keys show the numbers of all
 * groups in one period.
 */
export function GroupChart(props: {
  /** Names the chart for readers who cannot see it. */
  label: string;
  periods: readonly string[];
  /** The days or hours of the periods, by which marks are placed. */
  times?: readonly string[];
  lines: readonly GroupLine[];
  form: GroupForm;
  scale: Scale;
  /** True if the last period is not over. Its lines are dashed, and areas end before it. */
  isLastUnfinished?: boolean;
}) {
  const { label, periods, times, lines, form, isLastUnfinished = false } = props;
  const { ref, width } = useElementSize();
  const isStacked = form !== 'lines';
  const scale = form === 'shares' ? SHARES : props.scale;
  const areas = isStacked
    ? stackLines(
        lines.map(({ values }) => values),
        form === 'shares',
      )
    : null;
  const numbers = areas
    ? areas.flat().map(([, top]) => top)
    : lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const [lowest, highest] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const ticks =
    form === 'shares'
      ? [0, 0.25, 0.5, 0.75, 1]
      : lowest < 0
        ? ticksBetween(lowest, highest)
        : ticksTo(highest, scale.unit);
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  const last = periods.length - 1;
  const isNamedBelow = lines.length === 1 && width < WIDE;
  const right = width - (isNamedBelow ? INSET.right : namesWidth(width));
  const inner = right - INSET.left;
  const bottom = HEIGHT - INSET.bottom;
  const x = (place: number) => INSET.left + (last > 0 ? (place / last) * inner : inner / 2);
  const y = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - INSET.top);

  const marks = useMarks(times);
  const { at, choose, handlers } = useChosenPlace(periods.length, (left) =>
    Math.round(((left - INSET.left) / inner) * last),
  );
  // An unfinished period would let the top of all areas fall.
  const end = isStacked && isLastUnfinished && last > 0 ? last - 1 : last;
  const ends = lines.map(({ values }, index) => {
    if (areas) {
      const [from, to] = areas[index]![end] ?? [0, 0];
      return { x: x(end), y: y((from + to) / 2) };
    }
    const place = values.findLastIndex((value) => value !== null);
    return place < 0 ? null : { x: x(place), y: y(values[place]!) };
  });
  const named = lines.flatMap((line, index) => {
    const point = ends[index];
    return point ? [{ line, ...point }] : [];
  });
  const beside = isNamedBelow ? [] : named;
  const middles = placeLabels(
    beside.map((each) => each.y),
    { gap: LABEL_GAP, top: INSET.top, bottom },
  );

  return (
    <div ref={ref} className={lineClasses.chart} role="group" aria-label={label} {...handlers}>
      {width === 0 ? (
        <div style={{ height: HEIGHT }} />
      ) : (
        <svg className={lineClasses.svg} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden>
          <Axes
            {...{ x, y, ticks, periods, bottom, right, at }}
            write={scale.tick}
            left={INSET.left}
            marked={marks?.places.map(([place]) => place)}
          />
          {lines.map((line, index) => (
            <g
              key={line.key}
              style={{ '--line': line.color } as object}
              data-greyed={line.greyed !== undefined || undefined}
            >
              {areas ? (
                <path
                  className={classes.area}
                  d={areaPath(areas[index]!.slice(0, end + 1), x, y)}
                />
              ) : (
                <Pieces {...{ line, x, y, at, isLastUnfinished }} />
              )}
            </g>
          ))}
          {beside.map((each, index) => (
            <line
              key={each.line.key}
              className={classes.leader}
              style={{ '--line': each.line.color } as object}
              x1={each.x + 3}
              y1={each.y}
              x2={right + 6}
              y2={middles[index]}
            />
          ))}
        </svg>
      )}
      {isNamedBelow && (
        <ul className={lineClasses.legend} aria-hidden>
          {named.map(({ line }) => (
            <li key={line.key} style={{ '--line': line.color } as object}>
              {nameOf(line)}
            </li>
          ))}
        </ul>
      )}
      {width > 0 && (
        <ul className={classes.names} aria-hidden>
          {beside.map(({ line }, index) => (
            <li
              key={line.key}
              className={classes.name}
              data-greyed={line.greyed !== undefined || undefined}
              title={nameOf(line)}
              style={{ left: right + 10, top: middles[index]! - 8, '--line': line.color } as object}
            >
              {nameOf(line)}
            </li>
          ))}
        </ul>
      )}
      {marks !== null && width > 0 && (
        <ChartMarks marks={marks} periods={periods} x={x} top={bottom} onFocus={choose} />
      )}
      {at !== null && (
        <ChartTip
          title={periods[at] ?? ''}
          rows={rowsAt(lines, at, form, props.scale)}
          notes={marks?.textsAt(at)}
          x={x(at)}
          width={width}
        />
      )}
    </div>
  );
}

const nameOf = ({ name, greyed }: GroupLine) => (greyed ? `${name} (${greyed})` : name);

/** The numbers of all groups in a period, the largest first. */
function rowsAt(lines: readonly GroupLine[], at: number, form: GroupForm, scale: Scale) {
  const total = lines.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
  const write = (value: number | null) => {
    if (value === null) return '–';
    const words = scale.value(value);
    return form === 'shares' && total > 0 ? `${SHARES.value(value / total)} · ${words}` : words;
  };
  return lines
    .map((line) => ({ line, value: line.values[at] ?? null }))
    .toSorted((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity))
    .map(({ line, value }) => [nameOf(line), write(value), line.color] as const);
}

function areaPath(
  area: readonly (readonly [bottom: number, top: number])[],
  x: (place: number) => number,
  y: (value: number) => number,
): string {
  const point = (place: number, value: number) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`;
  const tops = area.map(([, top], place) => point(place, top));
  const bottoms = area.map(([from], place) => point(place, from)).toReversed();
  return `M${[...tops, ...bottoms].join('L')}Z`;
}

/** The line of a group. It has a gap where the group has no number. */
function Pieces(props: {
  line: GroupLine;
  x: (place: number) => number;
  y: (value: number) => number;
  at: number | null;
  isLastUnfinished: boolean;
}) {
  const { line, x, y, at, isLastUnfinished } = props;
  const { values } = line;
  const last = values.length - 1;
  const point = (place: number) => `${x(place).toFixed(1)},${y(values[place]!).toFixed(1)}`;
  const pieces = piecesOf(values, isLastUnfinished ? last : -1);
  const chosen = at === null ? null : (values[at] ?? null);
  const isDashed =
    isLastUnfinished && last > 0 && values[last] !== null && values[last - 1] !== null;
  return (
    <>
      {pieces.map((places) =>
        places.length === 1 ? (
          <circle
            key={places[0]}
            className={classes.point}
            cx={x(places[0]!)}
            cy={y(values[places[0]!]!)}
            r={2.5}
          />
        ) : (
          <polyline
            key={places[0]}
            className={lineClasses.line}
            points={places.map(point).join(' ')}
          />
        ),
      )}
      {isDashed && (
        <polyline
          className={lineClasses.line}
          data-unfinished
          points={`${point(last - 1)} ${point(last)}`}
        />
      )}
      {at !== null && chosen !== null && (
        <circle className={lineClasses.dot} cx={x(at)} cy={y(chosen)} r={4} />
      )}
    </>
  );
}
