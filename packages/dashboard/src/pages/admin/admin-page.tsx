import { useRead } from '../../api/hooks.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded, Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { AccountsTab } from './accounts-tab.tsx';
import { GamesTab } from './games-tab.tsx';
import { Installation, InstallationSkeleton } from './installation.tsx';
import { SettingsTab } from './settings-tab.tsx';

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
          { value: 'settings', name: 'Settings', panel: () => <SettingsTab /> },
        ]}
      />
    </Page>
  );
}
