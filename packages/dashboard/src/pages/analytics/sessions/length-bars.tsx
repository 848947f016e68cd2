import { Bars } from '../../../ui/charts/bars.tsx';
import { lengthWords } from './metrics.ts';
import type { LengthClass } from './metrics.ts';

/** Draws a bar for each class of lengths. A click on a bar calls `onOpen` with the number of its class. */
export function LengthBars(props: {
  classes: readonly LengthClass[];
  onOpen?: (length_class: number) => void;
}) {
  const { classes, onOpen } = props;
  return (
    <Bars
      label="Sessions by length"
      accent="all"
      bars={classes.map((each, index) => ({
        name: lengthWords(each),
        value: each.session_count,
        onOpen: onOpen && (() => onOpen(index)),
      }))}
    />
  );
}
