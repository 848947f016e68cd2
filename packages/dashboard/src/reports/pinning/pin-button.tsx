import { Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { REPORT_CHARTS } from '@overworld/contract/dashboards/charts';
import type { PinnedReport } from '@overworld/contract/dashboards/charts';
import { IconPin } from '@tabler/icons-react';
import { useGame } from '../../shell/game.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import type { ReportRange } from '../days/use-report-range.ts';
import { PinForm } from './pin-form.tsx';

const isPinned = (report: string): report is PinnedReport => Object.hasOwn(REPORT_CHARTS, report);

/** Pins a chart to a dashboard. Shows nothing where the report or the reader's role allows no pins. */
export function PinButton(props: {
  report: string;
  chart: string;
  title: string;
  /** The parameters of the report. Those without a value are left out. */
  question: Record<string, unknown>;
  /** Left out for a report without days. */
  range?: ReportRange;
}) {
  const { report, chart, title, question, range } = props;
  const { can } = useGame();
  const [opened, dialog] = useDisclosure();
  if (!isPinned(report) || !can('developer')) return null;
  return (
    <>
      <Tooltip label="Pin to a dashboard">
        <Button
          size="xs"
          px={8}
          variant="default"
          aria-label={`Pin ${title}`}
          onClick={dialog.open}
        >
          <IconPin size={14} aria-hidden />
        </Button>
      </Tooltip>
      <FormDialog opened={opened} onClose={dialog.close} title="Pin to a dashboard">
        <PinForm chart={{ report, chart, title, query: writeQuery(question) }} range={range} />
      </FormDialog>
    </>
  );
}

function writeQuery(question: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(question)) {
    if (value === undefined || value === '') continue;
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  return query.toString();
}
