import { useGame } from '../../shell/game.ts';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { ConfigHistory } from './config-history.tsx';
import { ConfigPreview } from './config-preview.tsx';
import { Parameters } from './parameters.tsx';
import { ScheduleList } from './schedules/schedule-list.tsx';
import { useSchedules } from './schedules/schedules.ts';

export function Component() {
  const { environment } = useGame();
  const open = useSchedules().data?.open;
  return (
    <Page
      title="Remote config"
      lead={`Values your game reads while it runs. These are for ${environment}; the other environment has its own.`}
    >
      <PageTabs
        tabs={[
          { value: 'parameters', name: 'Parameters', panel: () => <Parameters /> },
          {
            value: 'scheduled',
            name: 'Scheduled',
            count: open?.length,
            panel: () => <ScheduleList />,
          },
          { value: 'preview', name: 'Who gets what', panel: () => <ConfigPreview /> },
          { value: 'history', name: 'History', panel: () => <ConfigHistory /> },
        ]}
      />
    </Page>
  );
}
