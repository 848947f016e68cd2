import { SimpleGrid, Tabs } from '@mantine/core';
import { useRead } from '../../api/hooks.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { Card, Loaded, Page } from '../../ui/page.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { Stat } from '../../ui/stat.tsx';
import { AccountsTab } from './accounts-tab.tsx';
import { GamesTab } from './games-tab.tsx';

/** The installation: who may come in, which games there are, how it is. */
export function Component() {
  const me = useRead('GET /v1/auth/me', {});
  const { search, set } = useSearchState();
  const isAdministrator = me.data?.is_administrator === true;
  const stats = useRead('GET /v1/admin/stats', {}, { every: 10_000, enabled: isAdministrator });

  if (me.data && !isAdministrator) {
    return (
      <Page title="Administration">
        <EmptyState title="For administrators">
          Only administrators of this installation see its accounts and games.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title="Administration" lead="Accounts, games and health of this installation.">
      <Card>
        <Loaded query={stats}>
          {(numbers) => (
            <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="lg">
              <Stat label="Accounts" value={formatCount(numbers.account_count)} />
              <Stat label="Games" value={formatCount(numbers.game_count)} />
              <Stat label="Players" value={formatCount(numbers.player_count)} />
              <Stat label="Events this month" value={formatCount(numbers.events_this_month)} />
              <Stat label="Database" value={formatBytes(numbers.database_bytes)} />
              <Stat label="Release" value={numbers.version} />
              <Stat label="Running for" value={formatDuration(numbers.uptime_seconds)} />
            </SimpleGrid>
          )}
        </Loaded>
      </Card>
      <Tabs
        mt="lg"
        value={search.get('tab') ?? 'accounts'}
        onChange={(tab) => set({ tab, search: null })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="accounts">Accounts</Tabs.Tab>
          <Tabs.Tab value="games">Games</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="accounts">
          <AccountsTab />
        </Tabs.Panel>
        <Tabs.Panel value="games">
          <GamesTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function formatDuration(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`;
}
