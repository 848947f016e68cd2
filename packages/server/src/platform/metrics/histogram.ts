import type { Histogram as LibraryHistogram, Registry } from 'prom-client';

/** The observations of one combination of labels. */
export interface Series {
  /** @param value A finite number, in the unit of the histogram. */
  observe(value: number): void;
}

interface CountedSeries extends Series {
  readonly labels: Readonly<Record<string, string | number>>;
  /**
   * For each bound, the number of values up to this bound and above the previous bound. Values above the
   * last bound are only in `count` and `sum`.
   */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/**
 * Makes a histogram in a registry. The library's own histogram looks up the labels at each observation, which
 * takes 0.7 µs of each request. Here, a caller keeps its series, so an observation needs no look-up and only
 * updates the counts and the sum.
 * @param bounds The upper bounds of the buckets, ascending.
 * @returns A function that makes the series of a combination of labels; call it once for each combination.
 */
export function createHistogram(
  registry: Registry,
  { name, help, bounds }: { name: string; help: string; bounds: readonly number[] },
): (labels: CountedSeries['labels']) => Series {
  const all: CountedSeries[] = [];
  const show = ({ labels, counts, sum, count }: CountedSeries) => {
    let up_to = 0;
    const buckets = bounds.map((le, at) => {
      up_to += counts[at]!;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: up_to };
    });
    return [
      ...buckets,
      { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  };
  const metric = {
    name,
    get: async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: all.flatMap(show),
    }),
  };
  // A registry uses only these two members of a metric.
  registry.registerMetric(metric as unknown as LibraryHistogram);
  return (labels) => {
    const series = {
      labels,
      counts: bounds.map(() => 0),
      sum: 0,
      count: 0,
      observe(value: number) {
        let at = 0;
        while (at < bounds.length && value > bounds[at]!) at++;
        if (at < bounds.length) series.counts[at]! += 1;
        series.sum += value;
        series.count += 1;
      },
    };
    all.push(series);
    return series;
  };
}
