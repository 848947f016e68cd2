import { Tabs } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

interface PageTab {
  /** Names the tab in the address, which leaves out the first tab. */
  value: string;
  name: string;
  panel: () => ReactNode;
}

/** The tabs of a page. The address names the open tab and drops the filters of the others. */
export function PageTabs({ tabs }: { tabs: readonly PageTab[] }) {
  const [search, setSearch] = useSearchParams();
  const shown = tabs.find(({ value }) => value === search.get('tab')) ?? tabs[0]!;
  const show = (value: string | null) =>
    setSearch(value && value !== tabs[0]!.value ? { tab: value } : {}, { replace: true });
  const list = useRef<HTMLDivElement>(null);
  // A phone has no room for all tabs.
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-selected=true]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown.value]);
  return (
    <Tabs value={shown.value} onChange={show} keepMounted={false}>
      <Tabs.List mb="md" ref={list}>
        {tabs.map(({ value, name }) => (
          <Tabs.Tab key={value} value={value}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={shown.value}>{shown.panel()}</Tabs.Panel>
    </Tabs>
  );
}
