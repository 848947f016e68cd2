import { Alert, Radio, Stack } from '@mantine/core';
import { useChange, useRead } from '../../api/hooks.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Card, Loaded, Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { AccountsTab } from './accounts-tab.tsx';
import { CallsTab } from './calls-tab.tsx';
import { GamesTab } from './games-tab.tsx';
import { SizesTab } from './sizes-tab.tsx';
import { TasksTab } from './tasks-tab.tsx';
import { Installation, InstallationSkeleton } from './installation.tsx';
import { wordsOf } from '../../api/failure.ts';
import type { Answer } from '../../api/operations.ts';
import { Confirm, useDialog } from '../../ui/forms/dialogs.tsx';
import { notify } from '../../ui/notify.tsx';

/** The health, accounts, games and settings of the installation. */
export function Component() {
  const me = useRead('GET /v1/auth/me', {});
  const isAdministrator = me.data?.is_administrator === true;
  const stats = useRead('GET /v1/admin/stats', {}, { every: 10_000, enabled: isAdministrator });

  if (me.data && !isAdministrator) {
    return (
      <Page title="Administration">
        <EmptyState title="For administrators">
          Only administrators of this installation can see its accounts and games.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title="Administration" lead="Accounts, games and health of this installation.">
      <Loaded query={stats} skeleton={<InstallationSkeleton />}>
        {(numbers) => <Installation numbers={numbers} />}
      </Loaded>
      <PageTabs
        tabs={[
          { value: 'accounts', name: 'Accounts', panel: () => <AccountsTab /> },
          { value: 'games', name: 'Games', panel: () => <GamesTab /> },
          { value: 'calls', name: 'Calls', panel: () => <CallsTab /> },
          { value: 'sizes', name: 'Sizes', panel: () => <SizesTab /> },
          { value: 'tasks', name: 'Tasks', panel: () => <TasksTab /> },
          { value: 'settings', name: 'Settings', panel: () => <SettingsTab /> },
        ]}
      />
    </Page>
  );
}

type Requirement = Answer<'GET /v1/admin/settings'>['require_second_factor'];

const CHOICES: { value: Requirement; label: string; description: string }[] = [
  { value: 'off', label: 'Nobody', description: 'Everybody decides for their own account.' },
  {
    value: 'administrators',
    label: 'Administrators',
    description: 'Those who see every game of this installation.',
  },
  { value: 'everybody', label: 'Everybody', description: 'Every account of this installation.' },
];

function SettingsTab() {
  const settings = useRead('GET /v1/admin/settings', {});
  const put = useChange('PUT /v1/admin/settings');
  const asking = useDialog<Requirement>();
  const save = (require_second_factor: Requirement) =>
    put
      .mutateAsync({ body: { require_second_factor } })
      .then(() => notify.done('The setting applies from now on'));

  return (
    <Card title="Two-factor login">
      <Loaded query={settings}>
        {({ require_second_factor }) => (
          <Stack maw={560}>
            {put.error !== null && (
              <Alert color="clay" py="xs" role="alert">
                {wordsOf(put.error)}
              </Alert>
            )}
            <Radio.Group
              label="Who must have a second factor"
              description="An account without one can log in, but must set it up before anything else."
              value={require_second_factor}
              onChange={(value) => {
                if (value === 'off') save('off').catch(() => undefined);
                else asking.open(value as Requirement);
              }}
            >
              <Stack gap="sm" mt="sm">
                {CHOICES.map((choice) => (
                  <Radio key={choice.value} disabled={put.isPending} {...choice} />
                ))}
              </Stack>
            </Radio.Group>
          </Stack>
        )}
      </Loaded>
      <Confirm
        {...asking.frame}
        title="Ask for a second factor?"
        action="Ask for it"
        onConfirm={() => save(asking.item!)}
      >
        {asking.item === 'everybody' ? 'Every account' : 'Every administrator'} without a second
        factor must set one up before the rest of the dashboard opens again. This also holds for
        people who are working in it at this moment.
      </Confirm>
    </Card>
  );
}
