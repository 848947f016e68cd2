import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { batcherCreated } from '../batch/batcher.ts';
import type { ObservedBatcher } from '../batch/batcher.ts';
import type { Database } from '../database/database.ts';
import type { HttpServer } from '../http/server.ts';
import { fairQueueCreated } from '../queue/fair-queue.ts';
import type { ObservedFairQueue } from '../queue/fair-queue.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import { createMergedMetrics } from './merged-metrics.ts';
import { RELEASE } from '../release.ts';
import type { Histogram as LibraryHistogram } from 'prom-client';

interface GaugeOptions {
  name: string;
  help: string;
  /** The name of the label that distinguishes several values. */
  label?: string;
  /** Says how the workers' values are combined. The default is `sum`. `first` takes the first worker's. */
  of_workers?: 'sum' | 'first' | 'min';
  /** Reads one number, or one number for each value of the label. */
  read: () => GaugeValues | Promise<GaugeValues>;
}

interface CounterOptions {
  /** The name must end in `_total`. */
  name: string;
  help: string;
}

interface LabelledCounterOptions extends CounterOptions {
  label: string;
}

/**
 * Options of a counter whose values are counted elsewhere.
 * `read` returns the count for each value of the label.
 */
interface TotalsOptions extends LabelledCounterOptions {
  read: () => Record<string, number>;
}

/** Adds `amount` (default 1) to a counter. */
export type Count = (amount?: number) => void;
/** Adds `amount` (default 1) to the value of a counter for this label. */
type CountLabelled = (label_value: string, amount?: number) => void;

type GaugeValues = number | Record<string, number>;

/** The bounds of the durations of requests and flushes. */
export const REQUEST_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** The requests since the start of the server. `within` has them by the bounds of `REQUEST_SECONDS`. */
export interface RequestCounts {
  count: number;
  /** The requests that were answered with 500 or more. */
  failed: number;
  within: readonly number[];
}

const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/**
 * Makes the metrics. They observe all batchers and queues that
 * are made from now on, which costs 0.1 µs per request or flush.
 */
export function createMetrics(workerPool: WorkerPool) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });

  const requestsOf = createHistogram(registry, {
    name: 'overworld_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    bounds: REQUEST_SECONDS,
  });
  const batchSizesOf = createHistogram(registry, {
    name: 'overworld_batch_size',
    help: 'Requests written together in one flush.',
    bounds: BATCH_SIZES,
  });
  const flushesOf = createHistogram(registry, {
    name: 'overworld_flush_duration_seconds',
    help: 'Time to write and commit a batch.',
    bounds: REQUEST_SECONDS,
  });

  const merged = createMergedMetrics(workerPool, registry);

  const addGauge = ({ name, help, label, of_workers, read }: GaugeOptions) => {
    const gauge = new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [],
      aggregator: of_workers ?? 'sum',
      async collect() {
        this.reset();
        try {
          const values = await read();
          if (typeof values === 'number') return this.set(values);
          for (const [key, value] of Object.entries(values)) this.set({ [label!]: key }, value);
        } catch {
          // If `read` fails, only this gauge is left out. While the database is down, operators need the
          // other metrics even more.
          this.remove();
        }
      },
    });
    registry.registerMetric(gauge);
  };

  const addCounter = ({ name, help }: CounterOptions): Count => {
    const counter = new Counter({ name, help, registers });
    return (amount = 1) => counter.inc(amount);
  };
  const addLabelledCounter = (options: LabelledCounterOptions): CountLabelled => {
    const { name, help, label } = options;
    const counter = new Counter({ name, help, labelNames: [label], registers });
    return (label_value, amount = 1) => counter.inc({ [label]: label_value }, amount);
  };

  const addTotals = ({ name, help, label, read }: TotalsOptions) => {
    const counter = new Counter({
      name,
      help,
      labelNames: [label],
      registers: [],
      collect() {
        this.reset();
        for (const [key, value] of Object.entries(read())) this.inc({ [label]: key }, value);
      },
    });
    registry.registerMetric(counter);
  };

  new Gauge({
    name: 'overworld_info',
    help: 'Always 1; the label is the release that runs.',
    labelNames: ['release'],
    aggregator: 'first',
    registers,
  }).set({ release: RELEASE }, 1);

  const flushFailures = addLabelledCounter({
    name: 'overworld_flush_failures_total',
    help: 'Requests that failed because their batch could not be written.',
    label: 'batcher',
  });
  const queueRefusals = addLabelledCounter({
    name: 'overworld_queue_refusals_total',
    help: 'Requests that were answered with 503 because the queue was full.',
    label: 'batcher',
  });

  const batchers = new Set<ObservedBatcher>();
  // Batchers with the same name share their series.
  const flush_series = new Map<string, { sizes: Series; durations: Series }>();
  const flushSeriesOf = (batcher: string) => {
    let series = flush_series.get(batcher);
    if (series === undefined) {
      series = { sizes: batchSizesOf({ batcher }), durations: flushesOf({ batcher }) };
      flush_series.set(batcher, series);
    }
    return series;
  };
  const observeBatcher = (message: unknown) => {
    const batcher = message as ObservedBatcher;
    batchers.add(batcher);
    const { sizes, durations } = flushSeriesOf(batcher.name);
    batcher.onFlush = (batch_size, duration_ms) => {
      sizes.observe(batch_size);
      durations.observe(duration_ms / 1_000);
    };
    batcher.onFailure = (reason, failed) => {
      (reason === 'queue_full' ? queueRefusals : flushFailures)(batcher.name, failed);
    };
  };
  batcherCreated.subscribe(observeBatcher);
  addGauge({
    name: 'overworld_queue_length',
    help: 'Requests that wait to be written.',
    label: 'batcher',
    read() {
      const lengths: Record<string, number> = {};
      for (const { name, queue_length } of batchers) {
        lengths[name] = (lengths[name] ?? 0) + queue_length;
      }
      return lengths;
    },
  });

  const turnsRefused = addLabelledCounter({
    name: 'overworld_turns_refused_total',
    help: 'Work that was answered with 503 because its owner had too much waiting, or waited too long.',
    label: 'queue',
  });
  const queues = new Set<ObservedFairQueue>();
  const observeQueue = (message: unknown) => {
    const queue = message as ObservedFairQueue;
    queues.add(queue);
    queue.onRefused = () => turnsRefused(queue.name);
  };
  fairQueueCreated.subscribe(observeQueue);
  addGauge({
    name: 'overworld_turns_waiting',
    help: 'Work that waits for its turn, such as the hashing of passwords.',
    label: 'queue',
    read: () => Object.fromEntries([...queues].map(({ name, waiting }) => [name, waiting])),
  });

  return {
    /** Adds a gauge that calls `read` when the metrics are read. The gauge is left out while `read` fails. */
    addGauge,
    addCounter,
    /** Adds a counter for each value of a label. The label must have few values, so no ids. */
    addLabelledCounter,
    /** Adds a counter whose values are counted elsewhere. */
    addTotals,
    /**
     * Counts and times every request by operation and status, from now on.
     * @returns a function that adds up these counts.
     */
    observeRequests(server: HttpServer): () => RequestCounts {
      const known = new Map<string, Map<number, CountedSeries>>();
      server.observe(({ route, answer: { statusCode: status } }, is_sent, duration_ms) => {
        if (!is_sent) return;
        const operation = route.operation?.id ?? 'none';
        let by_status = known.get(operation);
        if (by_status === undefined) known.set(operation, (by_status = new Map()));
        let series = by_status.get(status);
        if (series === undefined) {
          by_status.set(status, (series = requestsOf({ operation, status })));
        }
        series.observe(duration_ms / 1_000);
      });
      return () => {
        const all = [...known.values()].flatMap((by_status) => [...by_status]);
        return all.reduce<RequestCounts>(
          (sum, [status, { count, counts }]) => ({
            count: sum.count + count,
            failed: sum.failed + (status >= 500 ? count : 0),
            within: sum.within.map((value, at) => value + counts[at]!),
          }),
          { count: 0, failed: 0, within: REQUEST_SECONDS.map(() => 0) },
        );
      };
    },
    /** Shows the connections of each pool. */
    observePools(pools: Record<string, Database>) {
      const read = (of: (load: Database['load']) => number) => () =>
        Object.fromEntries(Object.entries(pools).map(([name, { load }]) => [name, of(load)]));
      addGauge({
        name: 'overworld_database_connections',
        help: 'Open connections to PostgreSQL.',
        label: 'pool',
        read: read(({ open }) => open),
      });
      addGauge({
        name: 'overworld_database_waiting',
        help: 'Statements that wait for a connection.',
        label: 'pool',
        read: read(({ waiting }) => waiting),
      });
    },
    /** Reads all metrics in the text format of Prometheus. */
    read: merged.read,
    /** Stops observing batchers and queues. */
    close() {
      merged.close();
      batcherCreated.unsubscribe(observeBatcher);
      fairQueueCreated.unsubscribe(observeQueue);
    },
  };
}

/** Metrics of the running server for Prometheus. */
export type Metrics = ReturnType<typeof createMetrics>;

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
): (labels: CountedSeries['labels']) => CountedSeries {
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
