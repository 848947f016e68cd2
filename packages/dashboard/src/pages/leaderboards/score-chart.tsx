import { useElementSize } from '@mantine/hooks';
import type { Answer } from '../../api/operations.ts';
import { ticksBetween } from '../../ui/charts/chart-scale.ts';
import { ChartTip, useChosenPlace } from '../../ui/charts/chart-tip.tsx';
import chart from '../../ui/charts/line-chart.module.css';
import { formatScore } from '../../ui/format.ts';
import { formatMinute, formatMoment } from '../../ui/time/format-time.ts';
import { useZone } from '../../ui/time/zone.ts';
import { OUTCOME_WORDS, RULE_WORDS } from './board-words.ts';
import classes from './score-mark.module.css';

type Submit =
  Answer<'GET /v1/games/{game_id}/players/{player_id}/leaderboards/{board_name}/submits'>['submits'][number];

const HEIGHT = 232;
const INSET = { top: 12, right: 12, bottom: 26, left: 64 };

/**
 * Shows the scores that a player has submitted over time, each with a mark for its outcome. A line shows the
 * public score. The pointer or the arrow keys show the details of a submitted score.
 */
export function ScoreChart({ submits }: { submits: readonly Submit[] }) {
  const zone = useZone();
  const { ref, width } = useElementSize();
  const times = submits.map(({ submitted_at }) => Date.parse(submitted_at));
  const [first, last] = [times[0]!, times.at(-1)!];
  const scores = submits.flatMap(({ score, score_before }) => [score, score_before ?? score]);
  const ticks = ticksBetween(Math.min(...scores), Math.max(...scores));
  const inner = {
    width: width - INSET.left - INSET.right,
    height: HEIGHT - INSET.top - INSET.bottom,
  };
  const x = (place: number) =>
    INSET.left + inner.width * (last > first ? (times[place]! - first) / (last - first) : 0.5);
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  // The formula halves all scores, because the difference of two scores may exceed the largest double.
  const y = (score: number) =>
    INSET.top + inner.height * (1 - (score / 2 - low / 2) / (high / 2 - low / 2 || 1));
  const { at, handlers } = useChosenPlace(submits.length, (left) => {
    const distances = submits.map((_, place) => Math.abs(x(place) - left));
    return distances.indexOf(Math.min(...distances));
  });
  const shown = at === null ? null : submits[at]!;
  const outcomes = MARKS.filter(({ outcome }) => submits.some((each) => each.outcome === outcome));

  return (
    <div
      ref={ref}
      className={chart.chart}
      style={{ minHeight: HEIGHT }}
      role="group"
      aria-label="Scores of the player over time"
      {...handlers}
    >
      {width > 0 && (
        <svg className={chart.svg} height={HEIGHT} aria-hidden>
          {ticks.map((tick) => (
            <g key={tick}>
              <line
                className={chart.grid}
                x1={INSET.left}
                x2={width - INSET.right}
                y1={y(tick)}
                y2={y(tick)}
              />
              <text className={chart.text} x={INSET.left - 8} y={y(tick) + 4} textAnchor="end">
                {formatTick(tick)}
              </text>
            </g>
          ))}
          <text className={chart.text} x={INSET.left} y={HEIGHT - 6}>
            {formatMinute(submits[0]!.submitted_at, zone)}
          </text>
          {last > first && (
            <text className={chart.text} x={width - INSET.right} y={HEIGHT - 6} textAnchor="end">
              {formatMinute(submits.at(-1)!.submitted_at, zone)}
            </text>
          )}
          {at !== null && (
            <line
              className={chart.cursor}
              x1={x(at)}
              x2={x(at)}
              y1={INSET.top}
              y2={HEIGHT - INSET.bottom}
            />
          )}
          <path
            className={chart.line}
            style={{ '--line': 'var(--chart)' } as object}
            d={drawPublicScore(submits, x, y)}
          />
          {submits.map(({ outcome, score }, place) => (
            <ScoreMark
              key={place}
              outcome={outcome}
              x={x(place)}
              y={y(score)}
              isChosen={place === at}
            />
          ))}
        </svg>
      )}
      <Legend outcomes={outcomes.map(({ outcome }) => outcome)} />
      {at !== null && shown && (
        <ChartTip
          title={formatMoment(shown.submitted_at, zone)}
          rows={[
            ['Score', formatScore(shown.score)],
            [
              'Public before',
              shown.score_before === null ? 'none' : formatScore(shown.score_before),
            ],
            ['Outcome', OUTCOME_WORDS[shown.outcome]],
            ...(shown.rule ? [['Rule', RULE_WORDS[shown.rule]] as const] : []),
          ]}
          x={x(at)}
          width={width}
        />
      )}
    </div>
  );
}

function Legend({ outcomes }: { outcomes: readonly Submit['outcome'][] }) {
  return (
    <ul className={chart.legend} data-marks aria-hidden>
      {outcomes.map((outcome) => (
        <li key={outcome}>
          <svg width={14} height={12} style={{ verticalAlign: 'middle', marginInlineEnd: 6 }}>
            <ScoreMark outcome={outcome} x={7} y={6} isChosen={false} />
          </svg>
          {OUTCOME_WORDS[outcome]}
        </li>
      ))}
    </ul>
  );
}

/** Writes the SVG path of the public score: a line with steps, which starts anew in each season. */
function drawPublicScore(
  submits: readonly Submit[],
  x: (place: number) => number,
  y: (score: number) => number,
): string {
  let path = '';
  let is_drawn = false;
  for (const [place, { score_before, score, outcome }] of submits.entries()) {
    if (score_before !== null) {
      path += `${is_drawn ? `H${x(place)}V` : `M${x(place)},`}${y(score_before)}`;
    }
    is_drawn = score_before !== null;
    if (outcome !== 'new' && outcome !== 'improved') continue;
    path += is_drawn ? `V${y(score)}` : `M${x(place)},${y(score)}`;
    is_drawn = true;
  }
  return path;
}

/**
 * Writes a score with up to eight digits, because scores in a narrow range differ only in their last digits.
 * Writes huge scores with powers of ten.
 */
const formatTick = (score: number) =>
  Math.abs(score) >= 1e9
    ? score.toExponential(1).replace('.0e', 'e')
    : formatScore(Number(score.toPrecision(8)));

type Outcome =
  Answer<'GET /v1/games/{game_id}/players/{player_id}/leaderboards/{board_name}/submits'>['submits'][number]['outcome'];

/** The mark of an outcome. Marks also differ in shape, for readers who cannot tell colours apart. */
interface Mark {
  outcome: Outcome;
  colour: string;
  /** An SVG path whose centre is at 0, 0. */
  shape: string;
}

const CIRCLE = 'M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z';
const SMALL_CIRCLE = 'M-2.5,0a2.5,2.5 0 1,0 5,0a2.5,2.5 0 1,0 -5,0Z';
const TRIANGLE = 'M0,-5L5,4H-5Z';
const CROSS = 'M-4,-4L4,4M-4,4L4,-4';

const MARKS: readonly Mark[] = [
  { outcome: 'new', colour: 'var(--chart)', shape: CIRCLE },
  { outcome: 'improved', colour: 'var(--chart)', shape: CIRCLE },
  { outcome: 'kept', colour: 'var(--chart-compared)', shape: SMALL_CIRCLE },
  { outcome: 'quarantined', colour: 'var(--mantine-color-ochre-6)', shape: TRIANGLE },
  { outcome: 'refused', colour: 'var(--mantine-color-clay-6)', shape: CROSS },
];

/** Draws the mark of an outcome at a place in the chart. */
function ScoreMark(props: { outcome: Outcome; x: number; y: number; isChosen: boolean }) {
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
