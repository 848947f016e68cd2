import * as contract from '@overworld/contract/metrics/metrics';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { metricKind } from './definition-kind.ts';
import { createMetricFinder } from './find-metric.ts';
import { listMetricUses } from './metric-uses.ts';
import { removeMetric, saveMetric } from './metrics.ts';
import { listMetrics, showMetric } from './store.ts';

/** @returns the look-up of metrics, for other features. */
export function mountMetrics(api: Api) {
  const { database, uses } = api;
  uses.add(listMetricUses);
  api.definitions.add(metricKind());

  implement(api, contract.listMetrics, async ({ params, read }) => {
    const metrics = await read((group) => listMetrics(group, params.game_id));
    return { metrics: metrics.map(showMetric), next_cursor: null };
  });

  implement(api, contract.putMetric, ({ params, body, actor, database: group }) =>
    saveMetric(group, params, body, actor),
  );

  implement(api, contract.deleteMetric, ({ params, actor, database: group }) =>
    removeMetric(group, uses.list, params, actor),
  );
  return { findMetric: createMetricFinder(database) };
}
