import { CURRENCIES } from '@overworld/contract/analytics/currencies';
import type {
  putRevenueSettings,
  RevenueSettings,
} from '@overworld/contract/analytics/revenue-settings';
import type { BodyOf } from '@overworld/contract/operation';
import { badRequest } from '../../platform/errors.ts';
import { requireFittingValues } from '../../platform/property-conditions.ts';

/** Reads settings into the form in which they are stored. @throws ApiError 400 naming the field. */
export function readSettings(body: BodyOf<typeof putRevenueSettings>): RevenueSettings {
  const { event_name, amount_property, amount_unit = 'major', filter = [] } = body;
  const { currency_property = null, currency = null, report_currency = null } = body;
  if (currency_property !== null && currency !== null) {
    throw badRequest('currency must be null with a currency_property');
  }
  if (currency_property === null && currency === null) {
    throw badRequest('currency is required without a currency_property');
  }
  requireCurrency('currency', currency);
  requireCurrency('report_currency', report_currency);
  requireFittingValues(filter, 'filter');
  for (const [index, { value }] of filter.entries()) {
    // The settings are stored as doubles, which would change the number.
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      throw badRequest(
        `filter[${index}].value must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
      );
    }
  }
  const rates = readRates(body.rates ?? [], report_currency);
  return {
    event_name,
    filter,
    amount_property,
    amount_unit,
    currency_property,
    currency,
    report_currency,
    rates,
  };
}

/** Checks rates, and sorts them by currency and day. */
function readRates(
  rates: RevenueSettings['rates'],
  report_currency: string | null,
): RevenueSettings['rates'] {
  const known = new Set<string>();
  for (const [index, { currency, valid_from }] of rates.entries()) {
    const place = `rates[${index}]`;
    requireCurrency(`${place}.currency`, currency);
    if (report_currency === null) {
      throw badRequest('report_currency is required with rates');
    }
    if (currency === report_currency) {
      throw badRequest(`${place}.currency must not be the report_currency`);
    }
    if (!isDay(valid_from)) throw badRequest(`${place}.valid_from must be a valid date`);
    const name = `${currency} ${valid_from}`;
    if (known.has(name)) {
      throw badRequest(`${place} repeats the rate of ${currency} from ${valid_from}`);
    }
    known.add(name);
  }
  const order = (text: string, other: string) => Number(text > other) - Number(text < other);
  return rates
    .map(({ currency, valid_from, rate }) => ({ currency, valid_from, rate }))
    .toSorted((a, b) => order(a.currency, b.currency) || order(a.valid_from, b.valid_from));
}

/** The contract checks the form of a day. This function checks that the day exists. */
const isDay = (day: string) => {
  const time = Date.parse(`${day}T00:00:00Z`);
  return (
    !Number.isNaN(time) &&
    new Date(time).toISOString().slice(0, 10) === day &&
    day >= '1970-01-01' &&
    day <= '2100-12-31'
  );
};

/** @throws ApiError 400 when `currency` is neither null nor a currency. */
function requireCurrency(name: string, currency: string | null): void {
  if (currency !== null && !CURRENCIES.includes(currency)) {
    throw badRequest(`${name} must be an active currency of ISO 4217, such as EUR`);
  }
}
