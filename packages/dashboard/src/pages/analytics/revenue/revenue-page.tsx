import { Button, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRead } from '../../../api/hooks.ts';
import { DatedReport } from '../../../reports/dated-report.tsx';
import { useReport } from '../../../reports/use-report.tsx';
import { useGame } from '../../../shell/game.ts';
import { EmptyCard, Loaded, Page } from '../../../ui/page.tsx';
import { useSearchState } from '../../../ui/search-state.ts';
import { RevenueAnswer } from './revenue-answer.tsx';
import type { Revenue } from './revenue-metrics.ts';
import { RevenueSettingsForm } from './settings/revenue-settings-form.tsx';
import { FormDialog } from '../../../ui/forms/dialogs.tsx';
import type { RevenueSettings } from './settings/settings-form.ts';

const SETTINGS = 'GET /v1/games/{game_id}/revenue-settings';

export function Component() {
  const { game_id, can } = useGame();
  const [opened, dialog] = useDisclosure();
  const read = useRead(SETTINGS, { params: { game_id } });
  const settings = read.data?.settings ?? null;
  const mayChange = can('developer');
  return (
    <Page
      title="Revenue"
      lead="How much players spend, how many of them pay, and how soon after their first day."
      actions={
        settings && (
          <Button variant="default" onClick={dialog.open}>
            {mayChange ? 'Purchase event and rates' : 'Settings'}
          </Button>
        )
      }
    >
      <Loaded query={read}>
        {() =>
          settings ? (
            <RevenueReport settings={settings} onRates={dialog.open} />
          ) : (
            <EmptyCard
              title="Which event is a purchase?"
              action={mayChange && <Button onClick={dialog.open}>Choose the event</Button>}
            >
              {mayChange
                ? 'Choose the event that your game sends when somebody pays, and the property with the amount. The report then covers all purchases of the past, too.'
                : 'A developer of the game must choose the event that it sends when somebody pays.'}
            </EmptyCard>
          )
        }
      </Loaded>
      <FormDialog opened={opened} onClose={dialog.close} title="Purchases" size="lg">
        <RevenueSettingsForm settings={settings} />
      </FormDialog>
    </Page>
  );
}

function RevenueReport(props: { settings: RevenueSettings; onRates: () => void }) {
  const { settings, onRates } = props;
  const { search } = useSearchState();
  const currency = search.get('currency') ?? undefined;
  const report = useReport('revenue', { currency });
  return (
    <DatedReport
      report={report}
      filters={
        report.read.data && (
          <CurrencyChoice data={report.read.data} settings={settings} chosen={currency ?? ''} />
        )
      }
    >
      {(data) => (
        <RevenueAnswer data={data} settings={settings} report={report} onRates={onRates} />
      )}
    </DatedReport>
  );
}

/** Chooses one of several currencies, or all of them together if the game has exchange rates. */
function CurrencyChoice(props: { data: Revenue; settings: RevenueSettings; chosen: string }) {
  const { data, settings, chosen } = props;
  const { set } = useSearchState();
  const { report_currency } = settings;
  const codes = data.currencies.map(({ currency }) => currency);
  const known = chosen === '' || codes.includes(chosen) ? codes : [...codes, chosen];
  if (known.length < 2 && chosen === '' && report_currency === null) return null;
  const all = { value: '', label: `All, converted to ${report_currency}` };
  return (
    <Select
      aria-label="Currency"
      w={220}
      data={[
        ...(report_currency === null ? [] : [all]),
        ...known.map((code) => ({ value: code, label: `Only ${code}` })),
      ]}
      value={chosen || (report_currency === null ? data.currency : '')}
      onChange={(currency) => set({ currency: currency || null })}
    />
  );
}
