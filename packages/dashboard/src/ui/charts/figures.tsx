import type { CSSProperties } from 'react';
import classes from './figures.module.css';

export interface Figure {
  value: string;
  name: string;
  number: string;
  /** True if the number is of so few players that it says little. It is then grey. */
  isOfFew?: boolean;
  /** The numbers that this one is compared with. */
  compared: readonly ComparedNumber[];
  /** While today is not over: more numbers that today's number is compared with. */
  soFar?: readonly ComparedNumber[];
}

/**
 * A number with which a figure is compared. `change` is the change from this number to the figure, such as
 * `+5%`.
 */
export type ComparedNumber = readonly [name: string, number: string, change?: string | null];

/** Shows figures side by side. The chart below shows the chosen figure over time. */
export function Figures(props: {
  figures: Figure[];
  shown: string;
  onShow: (value: string) => void;
}) {
  const { figures, shown, onShow } = props;
  return (
    <div className={classes.frame}>
      <div
        className={classes.figures}
        style={{ '--count': figures.length } as CSSProperties}
        data-odd={figures.length % 2 === 1 || undefined}
      >
        {figures.map(({ value, name, number, isOfFew, compared, soFar = [] }) => (
          <button
            key={value}
            type="button"
            className={classes.figure}
            aria-pressed={value === shown}
            onClick={() => onShow(value)}
          >
            <span className={classes.headline}>
              <span className={classes.name}>{name}</span>
              <span className={classes.number} data-few={isOfFew || undefined}>
                {number}
              </span>
            </span>
            {compared.length + soFar.length > 0 && (
              <span className={classes.comparison}>
                <ComparedNumbers of={compared} />
                {soFar.length > 0 && (
                  <span className={classes.soFar}>
                    <ComparedNumbers of={soFar} />
                  </span>
                )}
              </span>
            )}
          </button>
        ))}
      </div>
    </div>
  );
}

const ComparedNumbers = ({ of }: { of: readonly ComparedNumber[] }) =>
  of.map(([what, than, change]) => (
    <span key={what} className={classes.compared}>
      <span>{what}</span>
      <span className={classes.than}>
        {than} {change && <span className={classes.change}>{change}</span>}
      </span>
    </span>
  ));
