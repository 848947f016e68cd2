import { Badge, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { formatCount } from './format.ts';

interface PageTab {
  /** Names the tab in the address, which leaves out the first tab. */
  value: string;
  name: string;
  /** Things behind the tab that wait for the reader; none shows no number. */
  count?: number;
  panel: () => ReactNode;
}

/** The tabs of a page. The address names the open tab and drops the filters of the others. */
export function PageTabs({ tabs }: { tabs: readonly PageTab[] }) {
  const [search, setSearch] = useSearchParams();
  const shown = tabs.find(({ value }) => value === search.get('tab')) ?? tabs[0]!;
  const show = (value: string | null) =>
    setSearch(value && value !== tabs[0]!.value ? { tab: value } : {}, { replace: true });
  return (
    <Tabs value={shown.value} onChange={show} keepMounted={false}>
      <Tabs.List mb="md">
        {tabs.map(({ value, name, count }) => (
          <Tabs.Tab
            key={value}
            value={value}
            rightSection={count ? <Badge color="ochre">{formatCount(count)}</Badge> : undefined}
          >
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={shown.value}>{shown.panel()}</Tabs.Panel>
    </Tabs>
  );
}
