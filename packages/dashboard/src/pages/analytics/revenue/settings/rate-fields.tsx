import { Group, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { CURRENCIES, MAX_RATES } from '@overworld/contract/analytics/currencies';
import { IconTrash } from '@tabler/icons-react';
import { daysBefore } from '../../../../reports/days/report-days.ts';
import { useGame } from '../../../../shell/game.ts';
import { AddButton, IconButton } from '../../../../ui/buttons.tsx';
import { FailureText, Note } from '../../../../ui/text.tsx';
import type { SettingsForm, TypedRate } from './settings-form.ts';

/** The fields for the currency of reports, and for the exchange rates of the other currencies. */
export function RateFields({ form }: { form: SettingsForm }) {
  const { game } = useGame();
  const { report_currency, rates } = form.values;
  const setRates = (changed: TypedRate[]) => {
    form.setFieldValue('rates', changed);
    form.clearFieldError('rates');
  };
  const change = (index: number, changes: Partial<TypedRate>) =>
    setRates(rates.map((rate, place) => (place === index ? { ...rate, ...changes } : rate)));
  return (
    <Stack gap="xs">
      <Select
        label="Convert all amounts into"
        description="By rates that you enter. Without this, each currency is shown by itself."
        placeholder="nothing"
        searchable
        clearable
        data={[...CURRENCIES]}
        {...form.getInputProps('report_currency')}
        value={report_currency || null}
        onChange={(currency) => form.setFieldValue('report_currency', currency ?? '')}
      />
      {report_currency !== '' && (
        <>
          {rates.map((rate, index) => (
            <Group key={index} gap={6} align="center" wrap="nowrap">
              <Select
                aria-label={`Currency of rate ${index + 1}`}
                placeholder="Currency"
                searchable
                w={104}
                data={CURRENCIES.filter((currency) => currency !== report_currency)}
                value={rate.currency || null}
                onChange={(currency) => change(index, { currency: currency ?? '' })}
              />
              <TextInput
                type="date"
                aria-label={`First day of rate ${index + 1}`}
                min="1970-01-01"
                max="2100-12-31"
                w={142}
                value={rate.valid_from}
                onChange={({ currentTarget: { value } }) => change(index, { valid_from: value })}
              />
              <NumberInput
                aria-label={`${report_currency} for one ${rate.currency || 'unit'}, rate ${index + 1}`}
                placeholder={report_currency}
                hideControls
                allowNegative={false}
                decimalScale={12}
                style={{ flex: 1, minWidth: 70 }}
                value={rate.rate}
                onChange={(typed) => change(index, { rate: String(typed) })}
              />
              <IconButton
                icon={IconTrash}
                label={`Remove rate ${index + 1}`}
                onClick={() => setRates(rates.toSpliced(index, 1))}
              />
            </Group>
          ))}
          {form.errors.rates && <FailureText size="xs">{form.errors.rates}</FailureText>}
          <Group justify="space-between" gap="xs">
            <AddButton
              size="xs"
              variant="default"
              disabled={rates.length >= MAX_RATES}
              onClick={() =>
                setRates([
                  ...rates,
                  { currency: '', valid_from: daysBefore(0, game.time_zone), rate: '' },
                ])
              }
            >
              Add rate
            </AddButton>
            <Note style={{ flex: '1 1 240px' }}>
              Units of {report_currency} for one of the other, from that day on. The earliest rate
              of a currency also holds before.
            </Note>
          </Group>
        </>
      )}
    </Stack>
  );
}
