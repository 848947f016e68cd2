import type { Answer } from '../../api/operations.ts';
import classes from './score-mark.module.css';

type Outcome =
  Answer<'GET /v1/games/{game_id}/players/{player_id}/leaderboards/{board_name}/submits'>['submits'][number]['outcome'];

/** A mark differs from the others by its shape too, for readers who see no colours. */
interface Mark {
  outcome: Outcome;
  colour: string;
  /** An SVG path around 0, 0. */
  shape: string;
}

const CIRCLE = 'M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z';
const SMALL_CIRCLE = 'M-2.5,0a2.5,2.5 0 1,0 5,0a2.5,2.5 0 1,0 -5,0Z';
const TRIANGLE = 'M0,-5L5,4H-5Z';
const CROSS = 'M-4,-4L4,4M-4,4L4,-4';

export const MARKS: readonly Mark[] = [
  { outcome: 'new', colour: 'var(--chart)', shape: CIRCLE },
  { outcome: 'improved', colour: 'var(--chart)', shape: CIRCLE },
  { outcome: 'kept', colour: 'var(--chart-compared)', shape: SMALL_CIRCLE },
  { outcome: 'quarantined', colour: 'var(--mantine-color-ochre-6)', shape: TRIANGLE },
  { outcome: 'refused', colour: 'var(--mantine-color-clay-6)', shape: CROSS },
];

/** The mark of a submit's outcome. */
export function ScoreMark(props: { outcome: Outcome; x: number; y: number; isChosen: boolean }) {
  const { outcome, x, y, isChosen } = props;
  const { colour, shape } = MARKS.find((mark) => mark.outcome === outcome)!;
  return (
    <path
      className={classes.mark}
      data-chosen={isChosen || undefined}
      style={{ '--mark': colour } as object}
      transform={`translate(${x} ${y})`}
      d={shape}
    />
  );
}
