import { useForm } from '@mantine/form';
import type { UseFormReturnType } from '@mantine/form';
import type { Answer, Input } from '../../../../api/operations.ts';
import type { Condition } from '../../../../ui/conditions/conditions.ts';
import { readNumber } from '../../../../ui/forms/read-number.ts';

export type RevenueSettings = NonNullable<
  Answer<'GET /v1/games/{game_id}/revenue-settings'>['settings']
>;
type Body = Input<'PUT /v1/games/{game_id}/revenue-settings'>['body'];

export interface TypedRate {
  currency: string;
  valid_from: string;
  rate: string;
}

/** The fields of the dialog. An empty text stands for no value. */
const EMPTY = {
  event_name: '',
  filter: [] as Condition[],
  amount_property: '',
  amount_unit: 'major' as RevenueSettings['amount_unit'],
  /** True if each purchase event has a property with its currency. */
  names_currency: true,
  currency_property: '',
  currency: '',
  report_currency: '',
  rates: [] as TypedRate[],
};
type SettingsValues = typeof EMPTY;
export type SettingsForm = UseFormReturnType<SettingsValues>;

export const useSettingsForm = (settings: RevenueSettings | null) =>
  useForm<SettingsValues>({
    initialValues: settings === null ? EMPTY : toValues(settings),
    validate: (values) => ({
      event_name: values.event_name === '' && 'Choose an event',
      amount_property: values.amount_property === '' && 'Choose the property with the amount',
      currency_property:
        values.names_currency && values.currency_property === '' && 'Choose a property',
      currency: !values.names_currency && values.currency === '' && 'Choose a currency',
      rates: findRateProblem(values),
    }),
  });

function findRateProblem({ rates, report_currency }: SettingsValues): string | null {
  if (report_currency === '') return null;
  for (const { currency, valid_from, rate } of rates) {
    if (currency === '' || valid_from === '') return 'Choose currency and day of each rate';
    const number = readNumber(rate);
    if (!(typeof number === 'number' && number > 0)) {
      return `The rate of ${currency} must be more than 0`;
    }
  }
  return null;
}

const toValues = (settings: RevenueSettings): SettingsValues => ({
  ...settings,
  filter: settings.filter as Condition[],
  names_currency: settings.currency_property !== null,
  currency_property: settings.currency_property ?? '',
  currency: settings.currency ?? '',
  report_currency: settings.report_currency ?? '',
  rates: settings.rates.map((rate) => ({ ...rate, rate: String(rate.rate) })),
});

export function toBody(values: SettingsValues): Body {
  const { names_currency, report_currency, rates } = values;
  return {
    event_name: values.event_name,
    filter: values.filter,
    amount_property: values.amount_property,
    amount_unit: values.amount_unit,
    currency_property: names_currency ? values.currency_property : null,
    currency: names_currency ? null : values.currency,
    report_currency: report_currency || null,
    rates:
      report_currency === ''
        ? []
        : rates
            .filter(({ currency }) => currency !== report_currency)
            .map((rate) => ({ ...rate, rate: Number(rate.rate) })),
  };
}
