import type { ShownMetric } from '@overworld/contract/analytics/metric';
import type { SentConditions } from '../property-conditions.ts';

/** Events, and the number that is made of them. */
export interface MetricPart {
  kind: 'count' | 'players' | 'sum' | 'average' | 'percentile';
  /** Null for the events of all names. */
  event_name: string | null;
  filter: SentConditions;
  property: string | null;
  /** From 0 to 1; null for other kinds than percentiles. */
  percentile: number | null;
  per: 'player' | 'day' | null;
  /** The only currency that counts, of those in a property; null to count all events. */
  in_currency: { property: string; currency: string } | null;
  /** The sent numbers are multiplied by it, and divided by a million. */
  millionths: number;
}

/** A metric as reports count it: the denominator is null, unless it is a ratio. */
export interface MetricQuestion {
  metric: ShownMetric;
  numerator: MetricPart;
  denominator: MetricPart | null;
}

/** Finds a metric of a game by its key. Null when the game has no such metric. */
export type FindMetric = (game_id: string, key: string) => Promise<MetricQuestion | null>;
