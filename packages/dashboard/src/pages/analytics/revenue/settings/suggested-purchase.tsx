import { Alert, Button, Group } from '@mantine/core';
import type { Answer } from '../../../../api/operations.ts';
import { countOf } from '../../../../ui/format.ts';
import type { SettingsForm } from './settings-form.ts';

type Candidates = Answer<'GET /v1/games/{game_id}/revenue-settings/suggestions'>['events'];

/** Offers the likeliest purchase event of the game, while none is chosen. */
export function SuggestedPurchase({ events, form }: { events: Candidates; form: SettingsForm }) {
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
          Your game sent <code>{best.event_name}</code> {countOf(best.event_count, 'time')} in 90
          days, with <code>{amount.property}</code> such as {amount.example}
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
