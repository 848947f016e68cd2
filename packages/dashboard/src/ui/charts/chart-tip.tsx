import { useState } from 'react';
import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react';
import classes from './line-chart.module.css';

/** The distance between the chosen place of a chart and the tip that describes it, in pixels. */
const GAP = 12;

/**
 * Lets the pointer or the arrow keys choose a place of a chart. `at` is null if no place is chosen.
 * @param count The number of places.
 * @param placeAt Returns the place at a distance from the left, in pixels.
 */
export function useChosenPlace(count: number, placeAt: (left: number) => number) {
  const [chosen, setChosen] = useState<number | null>(null);
  const last = count - 1;
  const choose = (place: number) => setChosen(Math.min(last, Math.max(0, place)));
  const clear = () => setChosen(null);
  return {
    at: chosen === null ? null : Math.min(last, chosen),
    choose,
    /** The props for the box of the chart. */
    handlers: {
      tabIndex: 0,
      onPointerMove: (event: PointerEvent<HTMLElement>) =>
        choose(placeAt(event.clientX - event.currentTarget.getBoundingClientRect().left)),
      onPointerLeave: clear,
      onBlur: clear,
      onKeyDown: (event: KeyboardEvent) => {
        const place = {
          ArrowLeft: (chosen ?? count) - 1,
          ArrowRight: (chosen ?? count) + 1,
          Home: 0,
          End: last,
        }[event.key];
        if (place === undefined) return;
        event.preventDefault();
        choose(place);
      },
    },
  };
}

const colorStyle = (color: string | undefined) =>
  color === undefined ? undefined : ({ '--line': color } as CSSProperties);

/** Shows the values at the chosen place of a chart. */
export function ChartTip(props: {
  title: string;
  rows: readonly (readonly [name: string, value: string, color?: string])[];
  /** Words below the values. */
  notes?: readonly string[];
  /** The distance of the chosen place from the left, and the width of the chart, in pixels. */
  x: number;
  width: number;
}) {
  const { title, rows, notes = [], x, width } = props;
  const beside = x > width / 2 ? { right: width - x + GAP } : { left: x + GAP };
  return (
    <div className={classes.tip} role="status" style={beside}>
      {title}
      <dl>
        {rows.map(([name, value, color], index) => [
          <dt key={`${index} name`} className={color && classes.colored} style={colorStyle(color)}>
            {name}
          </dt>,
          <dd key={`${index} value`}>{value}</dd>,
        ])}
      </dl>
      {notes.length > 0 && (
        <ul className={classes.notes}>
          {notes.map((note, index) => (
            <li key={index} className="name">
              {note}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
