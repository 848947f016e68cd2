/** Currencies of revenue. This file has no imports, so that the dashboard can use it without schemas. */

/** The active currencies of ISO 4217. */
export const CURRENCIES: readonly string[] = [
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN',
  'BZD CAD CDF CHF CLF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL',
  'GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW',
  'KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN',
  'NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK',
  'SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS',
  'VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG',
].flatMap((line) => line.split(' '));

/** Currencies whose number of decimals is not two. */
const DIGITS: Record<string, number> = Object.fromEntries([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
    .split(' ')
    .map((currency) => [currency, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((currency) => [currency, 3] as const),
  ['CLF', 4] as const,
]);

/** Returns the number of decimals of a currency: 2 for EUR, 0 for JPY, 3 for KWD. */
export const currencyDigits = (currency: string): number => DIGITS[currency] ?? 2;

/** The largest amount of one purchase that is counted, in units such as euros. */
export const MAX_PURCHASE_AMOUNT = 100_000_000;

/**
 * The largest amount of a purchase, in millionths of its currency. Amounts are stored as whole numbers of
 * millionths, and the smallest is 1.
 */
export const MAX_MILLIONTHS = MAX_PURCHASE_AMOUNT * 1_000_000;

/** Returns the number by which a sent amount is multiplied to become millionths of its currency. */
export function millionthsOf(unit: 'major' | 'minor' | 'micro', currency: string): number {
  if (unit === 'micro') return 1;
  return unit === 'minor' ? 10 ** (6 - currencyDigits(currency)) : 1_000_000;
}

/** Tells whether a revenue report on all currencies counts purchases in this currency. */
export const isConvertible = (
  { report_currency, rates }: { report_currency: string | null; rates: { currency: string }[] },
  currency: string,
): boolean => currency === report_currency || rates.some((rate) => rate.currency === currency);

/** The days of the conversion in a revenue report. Day 0 is a player's first active day. */
export const CONVERSION_DAYS = [0, 1, 3, 7, 14, 30] as const;
/**
 * To suggest purchase events, the server looks at this many days, and at this many events of each name.
 */
export const SUGGESTION_DAYS = 90;
export const SUGGESTION_EVENTS = 200;
/** The maximum number of events that are suggested as purchases. */
export const MAX_SUGGESTIONS = 5;
/** The maximum number of exchange rates of a game. */
export const MAX_RATES = 2_000;
/** The maximum number of conditions on the properties of purchases. */
export const MAX_PURCHASE_FILTERS = 10;
