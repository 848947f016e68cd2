import { useElementSize } from '@mantine/hooks';
import { Fragment, useEffect, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { writeShare } from '../../../ui/format.ts';
import { layOut } from './path-layout.ts';
import type { Box } from './path-layout.ts';
import { placeName, unitsOf } from './path-words.ts';
import type { Paths } from './path-words.ts';
import classes from './path-chart.module.css';
import { showName } from '../../../ui/shown-name.ts';

/** The box that the reader points at, or has reached with the arrow keys. */
export interface ChosenPlace {
  step: number;
  index: number;
}

/**
 * Shows boxes in columns, one column for each step. The more paths
 * lead from one box to another, the wider is the band between them.
 */
export function PathChart(props: {
  paths: Paths;
  name: string;
  isNext: boolean;
  chosen: ChosenPlace | null;
  onChoose: (place: ChosenPlace | null) => void;
  /** Opens the list of the players whose paths have the box. */
  onOpen?: (place: ChosenPlace) => void;
}) {
  const { paths, name, isNext, chosen, onChoose, onOpen } = props;
  const { ref, width: available } = useElementSize();
  const chart = useRef<HTMLDivElement>(null);
  const { boxes, bands, width, height, isNarrow } = layOut(paths, available, isNext);
  // Paths that lead back in time begin at the right edge, which a narrow screen would hide.
  useEffect(() => {
    const box = chart.current?.parentElement;
    if (box && available > 0) box.scrollLeft = isNext ? 0 : box.scrollWidth;
  }, [available, isNext]);
  const isChosen = ({ step, index }: Box) => chosen?.step === step && chosen.index === index;
  /** The box that gets the focus when the reader presses the tab key. */
  const current = chosen && boxes[chosen.step]?.[chosen.index] ? chosen : { step: 0, index: 0 };

  const move = (event: KeyboardEvent) => {
    const { step, index } = current;
    const ahead = isNext ? 1 : -1;
    const target = {
      ArrowUp: [step, index - 1],
      ArrowDown: [step, index + 1],
      ArrowRight: [step + ahead, index],
      ArrowLeft: [step - ahead, index],
      Home: [0, 0],
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const column = boxes[Math.min(boxes.length - 1, Math.max(0, target[0]!))]!;
    const box = column[Math.min(column.length - 1, Math.max(0, target[1]!))]!;
    chart.current?.querySelector<HTMLElement>(`[data-box="${box.step} ${box.index}"]`)?.focus();
  };

  return (
    <div ref={ref} className={classes.scroll}>
      {available > 0 && (
        <div
          ref={chart}
          role="group"
          aria-label={`Paths ${isNext ? 'after' : 'before'} ${name}: the arrow keys move between events`}
          className={classes.chart}
          data-chosen={chosen !== null || undefined}
          data-narrow={isNarrow || undefined}
          style={{ width, height }}
          onKeyDown={move}
          onPointerLeave={() => onChoose(null)}
        >
          <svg className={classes.bands} viewBox={`0 0 ${width} ${height}`} aria-hidden>
            {bands.map(({ key, from, to, outline, isEnd }) => (
              <path
                key={key}
                d={outline}
                className={classes.band}
                data-end={isEnd || undefined}
                data-chosen={isChosen(from) || isChosen(to) || undefined}
              />
            ))}
          </svg>
          {boxes.flat().map((box) => {
            const { step, index, place, left, top } = box;
            const title = placeName(place, name, isNext);
            const share = writeShare(place?.count ?? paths.count, paths.count);
            const count = unitsOf(place?.count ?? paths.count, paths);
            return (
              <button
                key={`${step} ${index}`}
                type="button"
                className={classes.box}
                data-box={`${step} ${index}`}
                data-kind={place?.kind ?? 'start'}
                data-chosen={isChosen(box) || undefined}
                style={{ left, top, width: box.width, height: box.height }}
                tabIndex={current.step === step && current.index === index ? 0 : -1}
                aria-label={`${step === 0 ? 'The event' : `Step ${step}`}: ${title} ${share}, ${count}`}
                title={onOpen ? `Show the players: ${title}` : title}
                onClick={() => onOpen?.({ step, index })}
                onFocus={() => onChoose({ step, index })}
                onBlur={() => onChoose(null)}
                onPointerEnter={() => onChoose({ step, index })}
              >
                {isNarrow ? (
                  <TwoLines name={showName(title)} />
                ) : (
                  <span className="truncate">{showName(title)}</span>
                )}{' '}
                <span className={classes.share}>{share}</span>
              </button>
            );
          })}
        </div>
      )}
    </div>
  );
}

/** A name that breaks after underscores first, because names of events have no spaces. */
const TwoLines = ({ name }: { name: string }) => (
  <span className={classes.lines}>
    {name.split(/(?<=_)/).map((part, at) => (
      <Fragment key={at}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </span>
);
