import type { Paths, PathPlace } from './path-words.ts';

/** A box of the chart; step 0 is the event at which paths begin. */
export interface Box {
  step: number;
  index: number;
  place: PathPlace | null;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A band between two boxes. */
interface Band {
  key: string;
  from: Box;
  to: Box;
  /** The outline as an SVG path. */
  outline: string;
  isEnd: boolean;
}

/** The height of all paths together. */
const FULL_HEIGHT = 260;
/** The least height of a box with its name in one line, or in two. A lower box would have no room for it. */
const MIN_BOX_HEIGHT = 40;
const MIN_NARROW_HEIGHT = 56;
const GAP = 8;
/** The least width of a column. In a narrower column, most names would be cut. */
const MIN_COLUMN_WIDTH = 120;
/** The least width of a column whose boxes write names in two lines. */
const MIN_NARROW_WIDTH = 104;
/** The share of a column that its boxes take; the bands take the rest. */
const BOX_SHARE = 0.74;
const NARROW_BOX_SHARE = 0.84;

/**
 * Places the boxes and bands of paths in columns, in the order of time. If the columns do not fit, as many
 * whole columns as fit are in view, and the bands at the edge lead on to the next one.
 */
export function layOut(paths: Paths, available_width: number, isNext: boolean) {
  const columns = paths.steps.length + 1;
  const isNarrow = available_width < columns * MIN_COLUMN_WIDTH;
  const box_share = isNarrow ? NARROW_BOX_SHARE : BOX_SHARE;
  const least_height = isNarrow ? MIN_NARROW_HEIGHT : MIN_BOX_HEIGHT;
  // The last column needs no room for bands.
  const fitting = columns - 1 + box_share;
  const in_view = Math.max(1, Math.floor(available_width / MIN_NARROW_WIDTH));
  const column_width = available_width / Math.min(fitting, isNarrow ? in_view : fitting);
  const width = column_width * fitting;
  const box_width = column_width * box_share;
  const leftOf = (step: number) => (isNext ? step : columns - 1 - step) * column_width;
  const makeColumn = (step: number, places: readonly (PathPlace | null)[]) => {
    let top = 0;
    return places.map((place, index): Box => {
      const height = Math.max(least_height, (place?.share ?? 1) * FULL_HEIGHT);
      const box = { step, index, place, left: leftOf(step), top, width: box_width, height };
      top += height + GAP;
      return box;
    });
  };
  const boxes = [
    makeColumn(0, [null]),
    ...paths.steps.map((places, at) => makeColumn(at + 1, places)),
  ];
  const height = Math.max(...boxes.flat().map((box) => box.top + box.height));

  // The bands on each side of a box lie one below the other.
  const offsets = { out: new Map<Box, number>(), in: new Map<Box, number>() };
  const take = (box: Box, side: keyof typeof offsets, thickness: number) => {
    const all = (box.place?.share ?? 1) * FULL_HEIGHT;
    const from = offsets[side].get(box) ?? Math.max(0, (box.height - all) / 2);
    offsets[side].set(box, from + thickness);
    return box.top + from;
  };
  const bands = paths.links.map(({ step, from, to, share }): Band => {
    const [source, target] = [boxes[step - 1]![from]!, boxes[step]![to]!];
    const thickness = share * FULL_HEIGHT;
    const out_top = take(source, 'out', thickness);
    const in_top = take(target, 'in', thickness);
    const [start, end] = isNext
      ? [source.left + source.width, target.left]
      : [source.left, target.left + target.width];
    const middle = (start + end) / 2;
    const drawn = Math.max(1, thickness);
    return {
      key: `${step} ${from} ${to}`,
      from: source,
      to: target,
      isEnd: target.place?.kind === 'end',
      outline: [
        `M${start},${out_top}`,
        `C${middle},${out_top} ${middle},${in_top} ${end},${in_top}`,
        `V${in_top + drawn}`,
        `C${middle},${in_top + drawn} ${middle},${out_top + drawn} ${start},${out_top + drawn}`,
        'Z',
      ].join(''),
    };
  });
  return { boxes, bands, width, height, isNarrow };
}
