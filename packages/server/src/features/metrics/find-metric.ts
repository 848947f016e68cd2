import { millionthsOf } from '@overworld/contract/analytics/currencies';
import type { Queryable } from '../../platform/database/database.ts';
import type { FindMetric, MetricPart } from '../../platform/reports/metric-parts.ts';
import type { MetricDefinition } from './definition.ts';
import { findMetrics } from './store.ts';

/** Makes the function that finds a metric, with the two metrics of a ratio. */
export function createMetricFinder(database: Queryable): FindMetric {
  return async (game_id, key) => {
    const [found] = await findMetrics(database, game_id, [key]);
    if (found === undefined) return null;
    const { name, definition } = found;
    const { kind, per = null, unit, currency = null } = definition;
    const metric = { key, name, kind, per, unit, currency };
    if (kind !== 'ratio') return { metric, numerator: toPart(definition), denominator: null };
    const { numerator = '', denominator = '' } = definition;
    const parts = await findMetrics(database, game_id, [numerator, denominator]);
    const part = (of: string) => parts.find((each) => each.key === of)?.definition;
    const [above, below] = [part(numerator), part(denominator)];
    // The look-ups are no transaction: both may have changed together meanwhile.
    if (above === undefined || below === undefined) return null;
    return { metric, numerator: toPart(above), denominator: toPart(below) };
  };
}

function toPart(definition: MetricDefinition): MetricPart {
  const { kind, event_name = null, filter = [], property = null, percentile, per } = definition;
  const { currency, currency_property, amount_unit = 'major' } = definition;
  return {
    kind: kind as MetricPart['kind'],
    event_name,
    filter: { filter, text: JSON.stringify(filter), path: [] },
    property,
    percentile: percentile === undefined ? null : percentile / 100,
    per: per ?? null,
    in_currency:
      currency === undefined || currency_property === undefined
        ? null
        : { property: currency_property, currency },
    millionths: currency === undefined ? 1_000_000 : millionthsOf(amount_unit, currency),
  };
}
