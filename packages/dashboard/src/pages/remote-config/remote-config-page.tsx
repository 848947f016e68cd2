import { useGame } from '../../shell/game.ts';
import { CopyButton } from '../../copying/copy-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { ConfigHistory } from './config-history.tsx';
import { ConfigPreview } from './config-preview.tsx';
import { Parameters } from './parameters.tsx';
import { ScheduleList } from './schedules/schedule-list.tsx';

export function Component() {
  const { environment } = useGame();
  return (
    <Page
      title="Remote config"
      actions={<CopyButton key={environment} kind="remote_config" />}
      lead={`Values your game reads while it runs. These are for ${environment}; the other environment has its own.`}
    >
      <PageTabs
        tabs={[
          { value: 'parameters', name: 'Parameters', panel: () => <Parameters /> },
          { value: 'scheduled', name: 'Scheduled', panel: () => <ScheduleList /> },
          { value: 'preview', name: 'Who gets what', panel: () => <ConfigPreview /> },
          { value: 'history', name: 'History', panel: () => <ConfigHistory /> },
        ]}
      />
    </Page>
  );
}
