import { Badge, Tabs } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { formatCount } from './format.ts';
import { useOverflow } from './tables/use-overflow.ts';
import classes from './page-tabs.module.css';

interface PageTab {
  /** Names the tab in the URL. The URL does not name the first tab. */
  value: string;
  name: string;
  /** How many things in this tab the user has to deal with; 0 is not shown. */
  count?: number;
  panel: () => ReactNode;
}

/**
 * The tabs of a page. A click on a tab replaces the whole query of the URL,
 * and so removes the filters of the previous tab.
 */
export function PageTabs({ tabs }: { tabs: readonly PageTab[] }) {
  const [search, setSearch] = useSearchParams();
  const shown = tabs.find(({ value }) => value === search.get('tab')) ?? tabs[0]!;
  const show = (value: string | null) =>
    setSearch(value && value !== tabs[0]!.value ? { tab: value } : {}, { replace: true });
  const overflow = useOverflow();
  const open_tab = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    open_tab.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [shown.value]);
  return (
    <Tabs value={shown.value} onChange={show} keepMounted={false}>
      <div ref={overflow.ref} className={classes.box} data-more={overflow.hasMore || undefined}>
        <Tabs.List className={classes.list}>
          {tabs.map(({ value, name, count }) => (
            <Tabs.Tab
              key={value}
              ref={value === shown.value ? open_tab : undefined}
              value={value}
              className={classes.tab}
              rightSection={count ? <Badge color="ochre">{formatCount(count)}</Badge> : undefined}
            >
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </div>
      <Tabs.Panel value={shown.value}>{shown.panel()}</Tabs.Panel>
    </Tabs>
  );
}
