import { Tabs } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

interface PageTab {
  /** In the address; the first tab is shown where it names none. */
  value: string;
  name: string;
  panel: () => ReactNode;
}

/** Tabs of a page. Which one is shown is in the address; filters of the others are left behind. */
export function PageTabs({ tabs }: { tabs: readonly PageTab[] }) {
  const [search, setSearch] = useSearchParams();
  const shown = tabs.find(({ value }) => value === search.get('tab')) ?? tabs[0]!;
  const show = (value: string | null) =>
    setSearch(value && value !== tabs[0]!.value ? { tab: value } : {}, { replace: true });
  const list = useRef<HTMLDivElement>(null);
  // On a phone not all of them fit.
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
