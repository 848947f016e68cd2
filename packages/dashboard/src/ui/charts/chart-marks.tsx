import { createContext, use } from 'react';
import classes from './line-chart.module.css';

/** A note that marks a time on a chart. */
interface ChartMark {
  id: string;
  /** The calendar day in the time zone of the game. */
  day: string;
  /** Null if the note is about the whole day. */
  at: string | null;
  text: string;
}

interface Marks {
  marks: readonly ChartMark[];
  time_zone: string;
  /** Shows the marks of a period in full. */
  onOpen: (marks: readonly ChartMark[]) => void;
}

/** The marks, for all charts below this context. Null if these charts have no marks. */
export const MarksContext = createContext<Marks | null>(null);

const HOUR_MS = 3_600_000;

/** The marks of one chart. `places` has the marks of each period, by the index of the period. */
interface PlacedMarks {
  places: [place: number, marks: ChartMark[]][];
  textsAt: (place: number) => string[] | undefined;
  onOpen: Marks['onOpen'];
}

/**
 * Returns the marks of each period of a chart, or null if the charts have no marks.
 * @param times The days of the periods, or the starts of their hours.
 */
export function useMarks(times: readonly string[] | undefined): PlacedMarks | null {
  const context = use(MarksContext);
  if (context === null || times === undefined) return null;
  const { marks, time_zone, onOpen } = context;
  const placed = placeMarks(marks, times, time_zone);
  return {
    places: [...placed],
    textsAt: (place) => placed.get(place)?.map(({ text }) => text),
    onOpen,
  };
}

/** Shows a button on the axis for each period with marks. */
export function ChartMarks(props: {
  marks: PlacedMarks;
  periods: readonly string[];
  x: (place: number) => number;
  top: number;
  /** Shows the values of the period and its marks. */
  onFocus: (place: number) => void;
}) {
  const { marks, periods, x, top, onFocus } = props;
  return marks.places.map(([place, at]) => (
    <button
      key={place}
      type="button"
      className={classes.mark}
      style={{ left: x(place), top }}
      aria-label={`${periods[place]}: ${at.map(({ text }) => text).join('; ')}`}
      onFocus={() => onFocus(place)}
      onClick={() => marks.onOpen(at)}
    />
  ));
}

function placeMarks(
  marks: readonly ChartMark[],
  times: readonly string[],
  time_zone: string,
): Map<number, ChartMark[]> {
  const isByDay = times[0]?.length === 'YYYY-MM-DD'.length;
  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone });
  const days = isByDay ? times : times.map((time) => dayOf.format(new Date(time)));
  const placeOf = ({ day, at }: ChartMark): number => {
    if (isByDay || at === null) return days.indexOf(day);
    const moment = Date.parse(at);
    return times.findIndex((time) => {
      const start = Date.parse(time);
      return start <= moment && moment < start + HOUR_MS;
    });
  };
  const places = new Map<number, ChartMark[]>();
  for (const mark of marks) {
    const place = placeOf(mark);
    if (place < 0) continue;
    const others = places.get(place);
    if (others) others.push(mark);
    else places.set(place, [mark]);
  }
  return places;
}
