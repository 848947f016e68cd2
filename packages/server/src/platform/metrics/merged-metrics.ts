import { AggregatorRegistry } from 'prom-client';
import type { Registry } from 'prom-client';
import type { WorkerPool, WorkerMetrics } from '../workers/worker-pool.ts';

/** The counts of a worker are saved at this interval, and also whenever the metrics are read. */
const KEEP_INTERVAL_MS = 5_000;

/**
 * Makes the reader of the metrics of a whole server. Any worker can read the metrics of all workers: counts
 * are added up, including those of workers that died.
 */
export function createMergedMetrics(workerPool: WorkerPool, registry: Registry) {
  const { peers, worker, workers, predecessor } = workerPool;
  const others = Array.from({ length: workers }, (_, index) => index).filter((at) => at !== worker);

  const readOwn = async (): Promise<WorkerMetrics> => {
    const own = withAggregators(await registry.getMetricsAsJSON());
    const all = await merge([own, predecessor.counts]).getMetricsAsJSON();
    predecessor.keep(all.filter(isCount));
    return all;
  };
  const readAll = async () => {
    // A worker that is being replaced does not answer.
    const answers = others.map((other) =>
      peers.call<WorkerMetrics>(other, 'metrics', null).catch((): WorkerMetrics => []),
    );
    return merge([await readOwn(), ...(await Promise.all(answers))]).metrics();
  };

  if (workers === 1) return { read: () => registry.metrics(), close: () => undefined };
  peers.serve('metrics', readOwn);
  const timer = setInterval(() => void readOwn(), KEEP_INTERVAL_MS).unref();
  return { read: readAll, close: () => clearInterval(timer) };
}

const merge = (of_workers: WorkerMetrics[]) => AggregatorRegistry.aggregate(of_workers);

/**
 * Adds an aggregator to the metrics that describe the whole process. Every thread reports them, and
 * without an aggregator, the library would add up the values of the threads.
 */
const withAggregators = (metrics: WorkerMetrics): WorkerMetrics =>
  metrics.map((metric) => {
    if (!/^(process_|nodejs_eventloop_lag)/.test(metric.name)) return metric;
    const aggregator = metric.name === 'process_start_time_seconds' ? 'min' : 'max';
    return { ...metric, aggregator };
  });

/**
 * Tells whether a worker that replaces another one continues to count from the other's last value of this
 * metric.
 */
const isCount = ({ name, type }: WorkerMetrics[number]) =>
  ['counter', 'histogram'].includes(String(type)) && !name.startsWith('process_');
