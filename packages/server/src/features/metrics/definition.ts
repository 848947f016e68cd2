import { CURRENCIES } from '@overworld/contract/analytics/currencies';
import { hasProperty, PER_OF_KIND } from '@overworld/contract/metrics/metric-limits';
import type { putMetric } from '@overworld/contract/metrics/metrics';
import type { BodyOf } from '@overworld/contract/operation';
import { badRequest } from '../../platform/errors.ts';
import { requireFittingValues } from '../../platform/property-conditions.ts';

type Sent = BodyOf<typeof putMetric>;

/** A metric without its names. Members that mean nothing for its kind are left out. */
export type MetricDefinition = Omit<Sent, 'name' | 'description' | 'unit'> & {
  unit: NonNullable<Sent['unit']>;
};

/** The members that each kind may have, besides `kind` and `unit`; those of events and of money follow. */
const EVENT_MEMBERS = ['event_name', 'filter'] as const;
const MONEY_MEMBERS = ['currency_property', 'amount_unit'] as const;
const RATIO_MEMBERS = ['numerator', 'denominator'] as const;

/**
 * Reads a definition into the form in which it is stored.
 * @throws ApiError 400 that names the field which is missing, or does not go with the others.
 */
export function readDefinition(sent: Omit<Sent, 'name' | 'description'>): MetricDefinition {
  const { kind, unit = 'number', filter = [], per } = sent;
  const isOfNumbers = hasProperty(kind);
  const isRatio = kind === 'ratio';
  const isMoney = unit === 'money';
  if (isMoney && !isOfNumbers && !isRatio) refuse('unit', `money is for numbers, not for ${kind}`);
  if (unit !== 'number' && !isOfNumbers && !isRatio) refuse('unit', `must be number for ${kind}`);

  for (const name of EVENT_MEMBERS) if (isRatio) refuseMember(sent, name, kind);
  for (const name of RATIO_MEMBERS) requireIf(sent, name, isRatio, kind);
  requireIf(sent, 'property', isOfNumbers, kind);
  requireIf(sent, 'percentile', kind === 'percentile', kind);
  requireIf(sent, 'currency', isMoney, `the unit ${unit}`);
  for (const name of MONEY_MEMBERS) {
    if (!isMoney) refuseMember(sent, name, `the unit ${unit}`);
    else if (isRatio) refuseMember(sent, name, kind);
  }
  if (isOfNumbers && sent.event_name === undefined) refuse('event_name', `is required for ${kind}`);
  if (sent.event_name === undefined && filter.length > 0) {
    refuse('filter', 'must be left out without an event_name');
  }
  if (per !== undefined && !PER_OF_KIND[kind].includes(per)) {
    refuse('per', `must not be ${per} for ${kind}`);
  }
  if (isMoney && !CURRENCIES.includes(sent.currency!)) {
    refuse('currency', 'must be an active currency of ISO 4217, such as EUR');
  }
  requireFittingValues(filter, 'filter');
  for (const [index, { value }] of filter.entries()) {
    // Definitions are stored as doubles, which would change the number.
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      refuse(
        `filter[${index}].value`,
        `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
      );
    }
  }
  const { event_name, property, percentile, numerator, denominator } = sent;
  const { currency, currency_property, amount_unit = 'major' } = sent;
  return {
    kind,
    ...(event_name !== undefined && { event_name }),
    ...(filter.length > 0 && { filter }),
    ...(property !== undefined && { property }),
    ...(percentile !== undefined && { percentile }),
    ...(per !== undefined && { per }),
    ...(numerator !== undefined && { numerator }),
    ...(denominator !== undefined && { denominator }),
    unit,
    ...(currency !== undefined && { currency }),
    ...(currency_property !== undefined && { currency_property }),
    ...(isMoney && !isRatio && { amount_unit }),
  };
}

const refuse = (field: string, words: string): never => {
  throw badRequest(`${field} ${words}`);
};

type Member = keyof Omit<Sent, 'name' | 'description' | 'kind' | 'unit'>;

function refuseMember(sent: Omit<Sent, 'name'>, name: Member, of: string): void {
  const value = sent[name];
  const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
  if (!isEmpty) refuse(name, `must be left out for ${of}`);
}

function requireIf(sent: Omit<Sent, 'name'>, name: Member, isNeeded: boolean, of: string): void {
  if (!isNeeded) refuseMember(sent, name, of);
  else if (sent[name] === undefined) refuse(name, `is required for ${of}`);
}

/**
 * Finds what is wrong with the two metrics of a ratio.
 * @param find Finds a metric of the game by its key.
 * @returns a sentence that begins with the field; null for a sound ratio, and for every other kind.
 */
export function findRatioProblem(
  ratio: MetricDefinition,
  find: (key: string) => MetricDefinition | undefined,
): string | null {
  if (ratio.kind !== 'ratio') return null;
  const parts: Partial<Record<'numerator' | 'denominator', MetricDefinition>> = {};
  for (const name of RATIO_MEMBERS) {
    const key = ratio[name]!;
    const part = find(key);
    if (part === undefined) return `${name}: the game has no metric ${JSON.stringify(key)}`;
    if (part.kind === 'ratio') {
      return `${name} must not be a ratio, and ${JSON.stringify(key)} is one`;
    }
    parts[name] = part;
  }
  const [above, below] = [parts.numerator!.currency, parts.denominator!.currency];
  if (above !== undefined && below !== undefined && above !== below) {
    return `denominator must be in ${above}, as the numerator is`;
  }
  const wanted = above !== undefined && below === undefined ? above : undefined;
  if (ratio.currency === wanted) return null;
  return wanted === undefined
    ? 'unit must not be money, because only amounts divided by something else are amounts'
    : `unit must be money in ${wanted}, as the numerator is`;
}
