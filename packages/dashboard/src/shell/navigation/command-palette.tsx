import { Spotlight } from '@mantine/spotlight';
import { useDebouncedValue, useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import { IconSearch, IconUser } from '../../ui/icons.ts';
import { useGame } from '../game.ts';
import { paletteStore } from './palette.ts';
import { rankGroups } from './ranked.ts';
import type { Group } from './ranked.ts';
import { useOpen } from './recent.ts';
import { usePaletteGroups } from './use-palette-items.tsx';
import type { PaletteItem } from './palette-item.tsx';

const PLAYERS_SHOWN = 6;

/** The keys that were typed before the palette was there. */
export interface TypedEarly {
  text: string;
  isEntered: boolean;
}

/** Opens by Ctrl/Cmd-K, and finds pages, players and everything that a studio has defined. */
export function CommandPalette({ early }: { early: TypedEarly }) {
  const { game_id, environment, path } = useGame();
  const open = useOpen();
  const [query, setQuery] = useState(early.text);
  const [search] = useDebouncedValue(query.trim(), 150);
  const found = useRead(
    'GET /v1/games/{game_id}/players',
    { params: { game_id }, query: { environment, search, limit: PLAYERS_SHOWN } },
    { enabled: search !== '', keep: true },
  );
  // An answer to earlier letters stays until the next one is there. Ranking drops its other players, so
  // that Enter never opens one of them.
  const letters = query.trim().toLowerCase();
  const players: Group<PaletteItem> = {
    label: 'Players',
    items: (letters && found.data ? found.data.players : []).map(({ player_id, name }) => ({
      key: player_id,
      label: name ?? player_id,
      keywords: player_id,
      description: name === null ? undefined : player_id,
      icon: <IconUser size={18} />,
      open: () =>
        open({
          label: name ?? player_id,
          description: name === null ? undefined : player_id,
          kind: 'Player',
          to: path('players', player_id),
        }),
    })),
  };

  // The field gets the focus a moment after the palette opens. Keys typed before that belong to it.
  const field = useRef<HTMLInputElement>(null);
  useWindowEvent('keydown', () => field.current?.focus(), true);

  const defined = usePaletteGroups(letters !== '');
  const groups = rankGroups(letters, [...defined.groups, players]);
  const isEmpty = groups.length === 0;
  const isSearching = query.trim() !== search || found.isFetching || defined.isReading;
  const entered = useRef(early.isEntered ? letters : null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The selected action may be filtered out, and players arrive later. Enter then takes the first.
    const first = list.current?.querySelector<HTMLElement>('[data-action]');
    if (!list.current?.querySelector('[data-selected]')) {
      first?.setAttribute('data-selected', 'true');
    }
    if (entered.current === letters && isSearching) return;
    if (entered.current === letters) first?.click();
    entered.current = null;
  });

  return (
    <Spotlight.Root
      store={paletteStore}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      // Without a transition, a palette that opens again at once loses no typed letters.
      transitionProps={{ duration: 0 }}
      // The field stays where it is while the list below it grows and shrinks.
      centered={false}
      yOffset="12dvh"
      attributes={{ content: { 'aria-label': 'Search pages, players and everything else' } }}
      scrollable
      maxHeight={420}
    >
      <Spotlight.Search
        placeholder="Find a page, player, board or report"
        aria-label="Search pages, players and everything else"
        leftSection={<IconSearch size={18} />}
        ref={field}
        onKeyDown={({ key, nativeEvent }) => {
          // Where nothing else has that name, Enter waits for the players that are being searched.
          const isWaiting = isEmpty && isSearching && !nativeEvent.isComposing;
          if (key === 'Enter' && isWaiting) entered.current = letters;
        }}
      />
      <Spotlight.ActionsList ref={list}>
        {groups.map(({ label: group, items }) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {items.map(({ key, label, description, icon, open: openItem }) => (
              <Spotlight.Action
                key={key}
                label={label}
                description={description}
                leftSection={icon}
                onClick={openItem}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {isEmpty && !isSearching && <Spotlight.Empty>Nothing here by that name</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
