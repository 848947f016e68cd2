import { labelPlaces } from './chart-scale.ts';
import classes from './line-chart.module.css';

/** The height of the drawing of a chart over time, in pixels. */
export const HEIGHT = 232;

/** Returns the width for the label of a period. With less width, labels would touch each other. */
const labelWidth = (periods: readonly string[]) =>
  Math.max(76, 7 * Math.max(0, ...periods.map(({ length }) => length)) + 12);

/** The grid of a chart over time, its labels, and the lines at the chosen period and at marked ones. */
export function Axes(props: {
  x: (place: number) => number;
  y: (value: number) => number;
  ticks: readonly number[];
  /** Writes a tick. */
  write: (tick: number) => string;
  periods: readonly string[];
  left: number;
  right: number;
  bottom: number;
  /** The chosen period. */
  at: number | null;
  /** The periods with marks. */
  marked?: readonly number[];
}) {
  const { x, y, ticks, write, periods, left, right, bottom, at, marked = [] } = props;
  const last = periods.length - 1;
  const top = y(ticks.at(-1)!);
  const vertical = (place: number) => ({ x1: x(place), x2: x(place), y1: top, y2: bottom });
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={classes.grid} x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text className={classes.text} x={left - 8} y={y(tick) + 4} textAnchor="end">
            {write(tick)}
          </text>
        </g>
      ))}
      {labelPlaces(periods.length, Math.floor((right - left) / labelWidth(periods))).map(
        (place) => (
          <text
            key={place}
            className={classes.text}
            x={x(place)}
            y={HEIGHT - 6}
            textAnchor={place === last ? 'end' : 'middle'}
          >
            {periods[place]}
          </text>
        ),
      )}
      {marked.map((place) => (
        <line key={`mark ${place}`} className={classes.marked} {...vertical(place)} />
      ))}
      {at !== null && <line className={classes.cursor} {...vertical(at)} />}
    </>
  );
}
