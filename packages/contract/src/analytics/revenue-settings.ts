import type { Static } from 'typebox';
import { answer, ErrorWith } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { PropertyFilter } from '../players/property-filters.ts';
import { t } from '../schema.ts';
import {
  MAX_PURCHASE_FILTERS,
  MAX_RATES,
  MAX_SUGGESTIONS,
  SUGGESTION_DAYS,
  SUGGESTION_EVENTS,
} from './currencies.ts';

const operation = operationsIn('Analytics');

/** The units of the amounts that games send. */
const AMOUNT_UNITS = ['major', 'minor', 'micro'] as const;

/** Makes the schema of a currency, a code of ISO 4217. The server checks that the currency is active. */
export const Currency = (description: string) =>
  t.String(`${description}; a code of ISO 4217 such as \`EUR\`.`, { minLength: 3, maxLength: 3 });

const Rate = t.Resource('ExchangeRate', {
  currency: Currency('Currency that is converted'),
  valid_from: t.Day(
    'First day of the rate, in the time zone of the game. It holds until the next rate of the currency; the earliest one also holds for all days before.',
  ),
  rate: t.Number('Units of `report_currency` for one unit of the currency.', {
    exclusiveMinimum: 0,
    maximum: 1e12,
  }),
});

const SETTINGS = {
  event_name: t.Name('Name of the event that the game sends for a purchase.'),
  filter: t.Array(PropertyFilter, {
    maxItems: MAX_PURCHASE_FILTERS,
    description:
      'Conditions on properties of these events, such as that they are no tests; all must hold. Numbers beyond 2^53 are refused.',
  }),
  amount_property: t.Name(
    'Top-level property with the amount, a number in JSON. A negative amount is a refund.',
  ),
  amount_unit: t.Enum(
    AMOUNT_UNITS,
    '`major`: 4.99 means 4.99 EUR; `minor`: 499 means 4.99 EUR, and 499 JPY; `micro`: 4990000 means 4.99 EUR.',
  ),
  currency_property: t.Nullable(
    t.Name('Top-level property with the currency as a code of ISO 4217; null with `currency`.'),
  ),
  currency: t.Nullable(
    Currency('Currency of all purchases; null with `currency_property`. One of the two is needed'),
  ),
  report_currency: t.Nullable(
    Currency(
      'Currency into which the revenue report converts all amounts by `rates`; null: it converts nothing',
    ),
  ),
  rates: t.Array(Rate, {
    maxItems: MAX_RATES,
    description: 'Exchange rates, at most one for a currency and day. Only the studio enters them.',
  }),
};

/** The meaning of a game's purchase event. */
export const RevenueSettings = t.Resource('RevenueSettings', SETTINGS);
export type RevenueSettings = Static<typeof RevenueSettings>;

const example: RevenueSettings = {
  event_name: 'purchase',
  filter: [],
  amount_property: 'price',
  amount_unit: 'major',
  currency_property: 'currency',
  currency: null,
  report_currency: 'EUR',
  rates: [{ currency: 'USD', valid_from: '2026-01-01', rate: 0.92 }],
};

export const getRevenueSettings = operation('GET /v1/games/{game_id}/revenue-settings', {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Show which event is a purchase',
  description: 'Both environments share these settings.',
  answers: {
    200: answer(
      'The settings.',
      t.Object({
        settings: t.Nullable(RevenueSettings),
      }),
      { settings: example },
    ),
  },
});

export const putRevenueSettings = operation('PUT /v1/games/{game_id}/revenue-settings', {
  access: 'developer',
  summary: 'Choose the event that is a purchase',
  description:
    'Replaces the settings, rates included. Reports follow at once, also for purchases of the past. While an experiment with a metric of revenue runs, its currency stays: the `report_currency`, or else the `currency`.',
  body: t.Object({
    ...SETTINGS,
    filter: t.Optional(SETTINGS.filter),
    amount_unit: t.Optional(t.Enum(AMOUNT_UNITS, 'Unit of the amounts, `major` if left out.')),
    currency_property: t.Optional(SETTINGS.currency_property),
    currency: t.Optional(SETTINGS.currency),
    report_currency: t.Optional(SETTINGS.report_currency),
    rates: t.Optional(SETTINGS.rates),
  }),
  example,
  answers: {
    200: answer('The settings as they are now.', RevenueSettings, example),
    409: answer(
      'The currency would change, and a running experiment measures revenue. Nothing was changed.',
      ErrorWith({ experiment_id: t.Uuid('The running experiment.') }),
      {
        error:
          'The running experiment "Higher daily reward" measures revenue in EUR: keep this currency, or stop or ship the experiment first',
        experiment_id: '0c4a2f6e-8d1b-4c57-9d0e-3f5a7b9c1d2e',
      },
    ),
  },
});

const Candidate = t.Resource('PurchasePropertyCandidate', {
  property: t.String('Name of the property.'),
  share: t.Number('Share of the newest events that have it in this form, from 0 to 1.'),
  example: t.String('A value, as text.'),
});

export const getRevenueSuggestions = operation(
  'GET /v1/games/{game_id}/revenue-settings/suggestions',
  {
    access: 'viewer',
    summary: 'Find events that look like purchases',
    description: `Looks at the names of the events of the last ${SUGGESTION_DAYS} days, and at the properties of the newest ${SUGGESTION_EVENTS} of each that looks like a purchase.`,
    query: t.Object({
      ...EnvironmentQuery.properties,
      event_name: t.Optional(t.Name('Only this event, whatever its name.')),
    }),
    answers: {
      200: answer(
        `At most ${MAX_SUGGESTIONS} events, the likeliest first.`,
        t.Object({
          events: t.Array(
            t.Resource('PurchaseCandidate', {
              event_name: t.String('Name of the event.'),
              event_count: t.Integer(`Its events of the last ${SUGGESTION_DAYS} days.`),
              amounts: t.Array(Candidate, {
                description: 'Properties with numbers, the likeliest amount first.',
              }),
              currencies: t.Array(Candidate, {
                description: 'Properties with codes of currencies, the most common first.',
              }),
              amount_unit: t.Enum(
                AMOUNT_UNITS,
                'The likely unit of the first amount: `minor` or `micro` if its name says so.',
              ),
            }),
          ),
        }),
        {
          events: [
            {
              event_name: 'purchase',
              event_count: 4_120,
              amounts: [{ property: 'price', share: 1, example: '4.99' }],
              currencies: [{ property: 'currency', share: 1, example: 'EUR' }],
              amount_unit: 'major',
            },
          ],
        },
      ),
    },
  },
);
