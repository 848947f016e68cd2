import { formatSignedShare } from '@overworld/contract/percents';
import type { Answer } from '../../api/operations.ts';
import type { ShownInterval } from '../../reports/interval-chart.tsx';
import { formatMoney, PER_PLAYER } from '../analytics/revenue/money.ts';
import { formatCount, formatRatio, writeShare } from '../../ui/format.ts';

export type Experiment = Answer<'GET /v1/games/{game_id}/experiments/{experiment_id}'>;
export type Metric = Experiment['metrics'][number];
export type Results = Answer<'GET /v1/games/{game_id}/experiments/{experiment_id}/results'>;
export type MetricResult = Results['metrics'][number];
export type VariantResult = MetricResult['variants'][number];

/** The states of an experiment, with the colours of their badges. */
export const STATE_WORDS: Record<Experiment['state'], { name: string; color: string }> = {
  draft: { name: 'Draft', color: 'gray' },
  running: { name: 'Running', color: 'lagoon' },
  stopped: { name: 'Stopped', color: 'ochre' },
  shipped: { name: 'Shipped', color: 'moss' },
};

/** Lists the keys of the parameters for which a variant has a value. */
export const parametersOf = ({ variants }: Pick<Experiment, 'variants'>): string[] => [
  ...new Set(variants.flatMap(({ values = {} }) => Object.keys(values))),
];

const inDays = (days: number) => (days === 1 ? 'in a day' : `in ${days} days`);

/** The name of a metric, such as `Back on day 1`. */
export function nameOfMetric({ kind, days, event_name, property }: Metric): string {
  switch (kind) {
    case 'retention':
      return `Back on day ${days}`;
    case 'revenue':
      return `Revenue per player ${inDays(days)}`;
    case 'event_share':
      return `Players with ${event_name} ${inDays(days)}`;
    case 'event_count':
      return `Events ${event_name} a player ${inDays(days)}`;
    case 'event_sum':
      return `Sum of ${property} of ${event_name} a player ${inDays(days)}`;
  }
}

/** A metric, with the currency in which its values are written. */
type Measured = Pick<MetricResult, 'metric' | 'currency'>;

/** Tells whether the means of a metric are shares of players. */
export const isShare = ({ kind }: Metric) => kind === 'retention' || kind === 'event_share';

/** Formats a mean of the metric. */
export const writeMean = (
  { metric, currency }: Measured,
  { mean, players }: Pick<VariantResult, 'mean' | 'players'>,
): string => {
  if (mean === null) return '–';
  if (currency !== null) return formatMoney(mean, currency, PER_PLAYER);
  return isShare(metric) ? writeShare(Math.round(mean * players), players) : formatRatio(mean);
};

const signedNumber = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 3,
  signDisplay: 'exceptZero',
});

const formatSignedNumber = (value: number) => signedNumber.format(value).replace('-', '−');

/**
 * Returns the confidence interval of the difference between a variant and the control; null if there is
 * none yet. The difference is a share of the control's mean or, if that mean may be 0, an absolute number.
 */
export function intervalOf(
  { metric, currency }: Measured,
  of: VariantResult,
  control: VariantResult,
): ShownInterval | null {
  const { interval, relative_interval, difference } = of;
  if (interval === null || difference === null) return null;
  if (relative_interval !== null && control.mean) {
    return { ...relative_interval, middle: difference / control.mean, write: formatSignedShare };
  }
  const write = isShare(metric)
    ? (value: number) => `${formatSignedNumber(value * 100)} points`
    : currency === null
      ? formatSignedNumber
      : (value: number) => formatMoney(value, currency, { ...PER_PLAYER, isSigned: true });
  return { ...interval, middle: difference, write };
}

/** The verdict on a variant as a sentence. */
export function sentenceOf(measured: Measured, of: VariantResult, control: VariantResult): string {
  if (of.verdict === 'no_variance') return noVariance(measured, of, control);
  const shown = intervalOf(measured, of, control);
  if (shown === null) return tooEarly(measured.metric, of, control);
  const range = `${shown.write(shown.low)} to ${shown.write(shown.high)}`;
  switch (of.verdict) {
    case 'better':
      return `${of.name} is likely better: ${range}.`;
    case 'worse':
      return `${of.name} is likely worse: ${range}.`;
    default:
      return `Not decided yet: ${of.name} makes a difference of ${range}.`;
  }
}

const MIN_PLAYERS = 100;

function noVariance(measured: Measured, of: VariantResult, control: VariantResult): string {
  const [value, other] = [writeMean(measured, of), writeMean(measured, control)];
  const values =
    of.mean === control.mean
      ? `All players have the same value, ${value}`
      : `All players of ${of.name} have the same value, ${value}, and all of ${control.name} have ${other}`;
  return `${values}: without any variance there is no interval.`;
}

function tooEarly({ days, kind }: Metric, of: VariantResult, control: VariantResult): string {
  const time = kind === 'retention' ? `day ${days} is over` : `time of ${days} × 24 hours is over`;
  return `Too early: ${MIN_PLAYERS} players of each variant whose ${time} are needed, and there are ${formatCount(control.players)} of ${control.name} and ${formatCount(of.players)} of ${of.name}.`;
}
