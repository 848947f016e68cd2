/** An event as the export of events has it. */
export interface ExportedEvent {
  event_name: string;
  player_id: string | null;
  occurred_at: string;
  properties: Record<string, unknown>;
}

/** A metric that is no ratio, as it was sent. */
export interface SentMetric {
  kind: string;
  event_name?: string;
  filter?: { property: string; operator: string; value: number }[];
  property?: string;
  percentile?: number;
  per?: string;
  currency?: string;
  currency_property?: string;
  amount_unit?: string;
}

const meets = (metric: SentMetric, { event_name, properties }: ExportedEvent): boolean =>
  (metric.event_name === undefined || event_name === metric.event_name) &&
  (metric.filter ?? []).every(({ property, operator, value }) => {
    const stored = properties[property];
    if (operator === 'ne') return stored !== value;
    return typeof stored === 'number' && stored >= value;
  }) &&
  (metric.currency_property === undefined ||
    String(properties[metric.currency_property]).toUpperCase() === metric.currency);

/** The number of a metric, made of some events by plain loops. */
export function countNaively(metric: SentMetric, events: readonly ExportedEvent[]): number | null {
  const isPerPlayer = metric.kind === 'players' || metric.per === 'player';
  const counted = events.filter(
    (event) => meets(metric, event) && !(isPerPlayer && event.player_id === null),
  );
  const players = new Set(counted.map(({ player_id }) => player_id)).size;
  const perPlayer = (number: number) => {
    if (metric.per !== 'player') return number;
    return players === 0 ? null : number / players;
  };
  if (metric.kind === 'count') return perPlayer(counted.length);
  if (metric.kind === 'players') return players;
  const scale = { minor: 100, micro: 1_000_000 }[metric.amount_unit ?? ''] ?? 1;
  const numbers = counted
    .map(({ properties }) => properties[metric.property!])
    .filter((value) => typeof value === 'number')
    .map((value) => value / scale)
    .toSorted((a, b) => a - b);
  const sum = numbers.reduce((total, value) => total + value, 0);
  if (metric.kind === 'sum') return perPlayer(sum);
  if (numbers.length === 0) return null;
  if (metric.kind === 'average') return sum / numbers.length;
  const place = (metric.percentile! / 100) * (numbers.length - 1);
  const [below, above] = [numbers[Math.floor(place)]!, numbers[Math.ceil(place)]!];
  return below + (above - below) * (place % 1);
}
