import { formatCount } from '../../ui/format.ts';
import classes from './rank.module.css';

export function Rank({ rank }: { rank: number }) {
  return (
    <span className={classes.rank} data-podium={rank <= 3 || undefined}>
      {formatCount(rank)}
    </span>
  );
}
