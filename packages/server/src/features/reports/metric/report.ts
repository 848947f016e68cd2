import { getMetric } from '@overworld/contract/analytics/metric';
import { badRequest } from '../../../platform/errors.ts';
import { tableOf, withGroups } from '../../../platform/reports/csv-report.ts';
import type { EventReport } from '../report-description.ts';

/** A metric that the game has defined, day by day. */
export const metric: EventReport<typeof getMetric, { metric_key: string }> = {
  operation: getMetric,
  readQuestion: ({ metric_key }) => ({ metric_key }),
  async complete({ metric_key }, { game_id, services }) {
    const found = await services.findMetric(game_id, metric_key);
    if (found === null) {
      throw badRequest(`metric_key: the game has no metric ${JSON.stringify(metric_key)}`);
    }
    return found;
  },
  toTable: (report) =>
    withGroups(report, ({ days }) => tableOf('metric', ['day', 'number', 'base'], days)),
};
