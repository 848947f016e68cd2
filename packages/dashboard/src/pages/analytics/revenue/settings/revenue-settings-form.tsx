import { useQueryClient } from '@tanstack/react-query';
import { Alert, Autocomplete, Button, Group, Select, Text } from '@mantine/core';
import { CURRENCIES } from '@overworld/contract/analytics/currencies';
import { REPORTS } from '@overworld/contract/analytics/reports';
import { useChange, useRead } from '../../../../api/hooks.ts';
import { ConditionsField } from '../../../../reports/questions/conditions-field.tsx';
import { useEventNames, useEventProperties } from '../../../../reports/questions/known-names.ts';
import { useGame } from '../../../../shell/game.ts';
import { countOf, quantityOf } from '../../../../ui/format.ts';
import { DialogForm } from '../../../../ui/forms/dialogs.tsx';
import { SwitchField } from '../../../../ui/forms/switch-field.tsx';
import { notify } from '../../../../ui/notify.tsx';
import { RateFields } from './rate-fields.tsx';
import { toBody, useSettingsForm } from './settings-form.ts';
import type { RevenueSettings, SettingsForm } from './settings-form.ts';
import { NameAndWords } from '../../../../ui/text.tsx';
import type { Answer } from '../../../../api/operations.ts';
import { showName } from '../../../../ui/shown-name.ts';

const PUT = 'PUT /v1/games/{game_id}/revenue-settings';
const SUGGESTIONS = 'GET /v1/games/{game_id}/revenue-settings/suggestions';

/** Chooses the event that is a purchase, the meaning of its amounts, and the exchange rates. */
export function RevenueSettingsForm({ settings }: { settings: RevenueSettings | null }) {
  const { game_id, inEnvironment, can } = useGame();
  const put = useChange(PUT);
  const queries = useQueryClient();
  const form = useSettingsForm(settings);
  const { values } = form;
  const events = useEventNames();
  const properties = useEventProperties(values.event_name);
  const suggested = useRead(SUGGESTIONS, inEnvironment(), { enabled: settings === null });
  const known = useRead(SUGGESTIONS, inEnvironment({}, { event_name: values.event_name }), {
    enabled: values.event_name !== '',
  });
  const candidate = known.data?.events[0];
  const mayChange = can('developer');

  return (
    <DialogForm
      form={form}
      onSubmit={(typed) => put.mutateAsync({ params: { game_id }, body: toBody(typed) })}
      onDone={() => {
        // Most changes do not reload slow reports, but this change alters their numbers.
        void queries.invalidateQueries({ queryKey: [REPORTS.revenue.route] });
        notify.done('Saved the purchase event and the rates');
      }}
      action={mayChange ? 'Save' : null}
    >
      <SuggestedPurchase events={suggested.data?.events ?? []} form={form} />
      <NameField
        form={form}
        field="event_name"
        label="Event"
        description="Your game sends it when somebody has paid"
        suggestions={events}
        found={(suggested.data?.events ?? []).map((each) => ({
          name: each.event_name,
          words: countOf(each.event_count, 'time') + ' in 90 days',
        }))}
      />
      {values.event_name !== '' && (
        <div>
          <Text size="sm" fw={500} mb={4}>
            Only where
          </Text>
          <ConditionsField
            conditions={values.filter}
            properties={properties}
            onChange={(filter) => form.setFieldValue('filter', filter)}
          />
        </div>
      )}
      <NameField
        form={form}
        field="amount_property"
        label="Property with the amount"
        description="A number. A negative one is a refund."
        suggestions={properties}
        found={(candidate?.amounts ?? []).map(toFound)}
      />
      <Select
        label="Amounts are in"
        data={[
          { value: 'major', label: 'Units: 4.99 is €4.99' },
          { value: 'minor', label: 'Cents: 499 is €4.99, and 499 is ¥499' },
          { value: 'micro', label: 'Millionths: 4990000 is €4.99' },
        ]}
        {...form.getInputProps('amount_unit')}
      />
      <SwitchField
        label="Currency"

        data={[
          { value: 'named', label: 'A property tells it' },
          { value: 'fixed', label: 'Always the same' },
        ]}
        value={values.names_currency ? 'named' : 'fixed'}
        onChange={(value) => form.setFieldValue('names_currency', value === 'named')}
      />
      {values.names_currency ? (
        <NameField
          form={form}
          field="currency_property"
          label="Property with the currency"
          description="A code such as EUR or usd"
          suggestions={properties}
          found={(candidate?.currencies ?? []).map(toFound)}
        />
      ) : (
        <Select
          label="Currency of all purchases"
          searchable
          data={[...CURRENCIES]}
          {...form.getInputProps('currency')}
        />
      )}
      {(values.names_currency || values.report_currency !== '') && <RateFields form={form} />}
    </DialogForm>
  );
}

const toFound = ({
  property,
  share,
  example,
}: {
  property: string;
  share: number;
  example: string;
}) => ({
  name: property,
  words: `such as ${example}${share < 1 ? `, in ${quantityOf(share).toLowerCase()} of them` : ''}`,
});

/** A name that was found among the events of the game, with a note on it. */
interface Found {
  name: string;
  words: string;
}

/** A field to choose or to type the name of an event or property. The likely names come first. */
function NameField(props: {
  form: SettingsForm;
  field: 'event_name' | 'amount_property' | 'currency_property';
  label: string;
  description: string;
  suggestions: readonly string[];
  found: readonly Found[];
}) {
  const { form, field, label, description, suggestions, found } = props;
  const names = new Set([...found.map(({ name }) => name), ...suggestions]);
  return (
    <Autocomplete
      label={label}
      description={description}
      data={[...names]}
      limit={100}
      maxDropdownHeight={240}
      renderOption={({ option: { value } }) => (
        <NameAndWords name={value} words={found.find(({ name }) => name === value)?.words} />
      )}
      maxLength={255}
      spellCheck={false}
      {...form.getInputProps(field)}
    />
  );
}

type Candidates = Answer<'GET /v1/games/{game_id}/revenue-settings/suggestions'>['events'];

/** Offers the likeliest purchase event of the game, while none is chosen. */
function SuggestedPurchase({ events, form }: { events: Candidates; form: SettingsForm }) {
  const best = events.find(({ amounts }) => amounts.length > 0);
  if (best === undefined || form.values.event_name !== '') return null;
  const [amount, currency] = [best.amounts[0]!, best.currencies[0]];
  const take = () =>
    form.setValues({
      event_name: best.event_name,
      amount_property: amount.property,
      amount_unit: best.amount_unit,
      names_currency: currency !== undefined,
      currency_property: currency?.property ?? '',
    });
  return (
    <Alert color="lagoon" py="xs">
      <Group justify="space-between" gap="xs">
        <span className="name" style={{ flex: '1 1 240px' }}>
          Your game sent <code>{showName(best.event_name)}</code>{' '}
          {countOf(best.event_count, 'time')} in 90 days, with <code>{amount.property}</code> such
          as {amount.example}
          {currency && (
            <>
              {' '}
              and <code>{currency.property}</code> such as {currency.example}
            </>
          )}
          .
        </span>
        <Button size="xs" onClick={take}>
          Use this
        </Button>
      </Group>
    </Alert>
  );
}
