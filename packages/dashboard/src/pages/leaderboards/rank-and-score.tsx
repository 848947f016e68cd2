import { formatCount, formatScore } from '../../ui/format.ts';
import classes from './rank.module.css';

export function Rank({ rank }: { rank: number }) {
  return (
    <span className={classes.rank} data-podium={rank <= 3 || undefined}>
      {formatCount(rank)}
    </span>
  );
}

/** Writes a score so that it stands out in its row. */
export const boldScore = (score: number) => <b style={{ fontWeight: 600 }}>{formatScore(score)}</b>;
