import { Button, Group } from '@mantine/core';
import { use } from 'react';
import { OutsideContext } from '../../../reports/outside/outside-button.tsx';
import { useGame } from '../../../shell/game.ts';
import { Card } from '../../../ui/page.tsx';
import { Caption } from '../../../reports/report-card.tsx';
import { column, numberColumn } from '../../../ui/tables/columns.tsx';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import { spanWords } from '../../../ui/format.ts';
import { formatMoney } from './money.ts';
import type { Revenue } from './revenue-metrics.ts';
import type { RevenueSettings } from './settings/settings-form.ts';

type Currency = Revenue['currencies'][number];

/** A table of the purchases, refunds and revenue in each currency. The amounts are not converted. */
export function CurrenciesCard(props: {
  data: Revenue;
  settings: RevenueSettings;
  onRates: () => void;
}) {
  const { data, settings, onRates } = props;
  const { currencies, currency, period } = data;
  const { can } = useGame();
  const isConverting = settings.report_currency !== null;
  const missing = currencies.filter(({ has_rate }) => !has_rate).map((each) => each.currency);
  return (
    <Card
      flush
      title="Currencies"
      actions={
        <Group gap={6} wrap="nowrap">
          {can('developer') && (missing.length > 0 || !isConverting) && (
            <Button size="xs" variant="default" onClick={onRates}>
              Enter rates
            </Button>
          )}
          {use(OutsideContext)}
        </Group>
      }
    >
      <div style={{ padding: '2px 16px 12px' }}>
        <Caption>
          {isConverting
            ? missing.length > 0
              ? `${missing.join(', ')} ${missing.length === 1 ? 'has' : 'have'} no rate, so the numbers above leave ${missing.length === 1 ? 'it' : 'them'} out.`
              : 'Each in its own currency.'
            : `Amounts in different currencies are not added up: the numbers above are about ${currency}. Enter exchange rates to see all together.`}{' '}
          These are the numbers {spanWords(period.from, period.to)}.
        </Caption>
      </div>
      <DataTable
        label="Currencies"
        density="compact"
        rows={currencies}
        rowKey={(each) => each.currency}
        columns={[
          column<Currency>('currency', 'Currency', (each) => each.currency),
          numberColumn('purchases', 'Purchases', (each: Currency) => each.purchase_count),
          numberColumn('refunds', 'Refunds', (each: Currency) => each.refund_count),
          column<Currency>('revenue', 'Revenue', { align: 'end' }, (each) =>
            formatMoney(each.revenue, each.currency),
          ),
        ]}
      />
    </Card>
  );
}
