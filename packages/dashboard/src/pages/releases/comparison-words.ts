import { formatSignedShare } from '@overworld/contract/percents';
import type { Answer } from '../../api/operations.ts';
import { formatDuration, formatRatio, writeShare } from '../../ui/format.ts';
import type { ShownInterval } from '../../reports/interval-chart.tsx';
import { formatMoney } from '../analytics/revenue/money.ts';

export type Comparison = Answer<'GET /v1/games/{game_id}/releases/comparison'>;
export type Metric = Comparison['metrics'][number];

export const VERDICT_WORDS: Record<Metric['verdict'], string> = {
  higher: 'Higher',
  lower: 'Lower',
  undecided: 'May be noise',
  too_few: 'Too few players',
  no_variance: 'No variance',
};

const isShare = ({ kind }: Metric) => kind === 'adoption' || kind.startsWith('retention');

/** The name of a metric, such as `Back on day 1`. */
export function nameOfMetric({ kind, event_name }: Metric): string {
  switch (kind) {
    case 'adoption':
      return 'Adoption by active players';
    case 'retention_day_1':
      return 'New players back on day 1';
    case 'retention_day_7':
      return 'New players back on day 7';
    case 'sessions':
      return 'Sessions a player';
    case 'session_seconds':
      return 'Length of a session';
    case 'revenue':
      return 'Revenue a player';
    case 'events':
      return `Events ${event_name} a player`;
  }
}

/** The words of a metric within a sentence. */
function shortName({ kind, event_name }: Metric): string {
  switch (kind) {
    case 'adoption':
      return 'adoption';
    case 'retention_day_1':
      return 'day-1 retention';
    case 'retention_day_7':
      return 'day-7 retention';
    case 'sessions':
      return 'the number of sessions';
    case 'session_seconds':
      return 'the length of a session';
    case 'revenue':
      return 'revenue a player';
    case 'events':
      return `the number of ${event_name} events`;
  }
}

/** Formats the mean of a release. */
export function writeMean(metric: Metric, index: number): string {
  const { players, mean } = metric.releases[index]!;
  if (mean === null) return '–';
  if (isShare(metric)) return writeShare(Math.round(mean * players), players);
  return writeNumber(metric, mean);
}

function writeNumber({ kind, currency }: Metric, value: number): string {
  if (currency !== null) return formatMoney(value, currency, { more_digits: 2 });
  return kind === 'session_seconds' ? formatDuration(value) : formatRatio(value);
}

const signed = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 3,
  signDisplay: 'exceptZero',
});
const writeSigned = (value: number) => signed.format(value).replace('-', '−');

/** Returns the interval of the difference, as a share of the earlier release where that is known. */
export function intervalOf(metric: Metric): ShownInterval | null {
  const { interval, relative_interval, difference, releases } = metric;
  if (interval === null || difference === null) return null;
  if (isShare(metric)) {
    const points = ({ low, high }: { low: number; high: number }) => ({
      low: low * 100,
      high: high * 100,
    });
    const write = (value: number) => `${writeSigned(value)} points`;
    return { ...points(interval), middle: difference * 100, write };
  }
  const before = releases[0]!.mean;
  if (relative_interval !== null && before) {
    return { ...relative_interval, middle: difference / before, write: formatSignedShare };
  }
  return { ...interval, middle: difference, write: writeSigned };
}

/** Returns the verdict as good or bad news, for its colour; null if it is neither. */
export function newsOf({ kind, verdict }: Metric): 'better' | 'worse' | null {
  if (verdict !== 'higher' && verdict !== 'lower') return null;
  const good = kind === 'events' ? 'lower' : 'higher';
  return verdict === good ? 'better' : 'worse';
}

const LIST = new Intl.ListFormat('en');

/** Says in one sentence which differences are more than noise. */
export function sentenceOf({ releases, metrics }: Comparison): string {
  const [before, after] = [releases[0]!, releases[1]!];
  const differing = metrics.filter(({ verdict }) => verdict === 'higher' || verdict === 'lower');
  if (differing.length > 0) {
    const parts = differing.map((metric) => {
      const numbers = `${writeMean(metric, 0)} to ${writeMean(metric, 1)}`;
      return `${shortName(metric)} is ${metric.verdict} (${numbers})`;
    });
    return `From ${before.version} to ${after.version}, ${LIST.format(parts)}; all else may be noise.`;
  }
  return metrics.every(({ verdict }) => verdict === 'too_few')
    ? `There are too few players yet to compare ${after.version} with ${before.version}: at least 100 of each are needed.`
    : `Nothing between ${before.version} and ${after.version} differs by more than noise.`;
}
