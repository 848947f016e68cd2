import { SimpleGrid } from '@mantine/core';
import classes from './figures.module.css';

interface Figure {
  value: string;
  name: string;
  number: string;
  /** Numbers to compare this one with. */
  compared: [name: string, number: string][];
}

/** Numbers side by side. The chart below shows the chosen one over time. */
export function Figures(props: {
  figures: Figure[];
  shown: string;
  onShow: (value: string) => void;
}) {
  const { figures, shown, onShow } = props;
  return (
    <SimpleGrid
      cols={{ base: 2, md: figures.length }}
      spacing={0}
      className={classes.figures}
      data-odd={figures.length % 2 === 1 || undefined}
    >
      {figures.map(({ value, name, number, compared }) => (
        <button
          key={value}
          type="button"
          className={classes.figure}
          aria-pressed={value === shown}
          onClick={() => onShow(value)}
        >
          <span className={classes.name}>{name}</span>
          <span className={classes.number}>{number}</span>
          {compared.map(([what, than]) => (
            <span key={what} className={classes.compared}>
              <span>{what}</span>
              <span>{than}</span>
            </span>
          ))}
        </button>
      ))}
    </SimpleGrid>
  );
}
