import { Spotlight } from '@mantine/spotlight';
import { showName } from '../../ui/shown-name.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconUser } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import { useGame } from '../game.ts';
import { paletteStore } from './palette.ts';
import { rankGroups } from './ranked.ts';
import type { Group } from './ranked.ts';
import { useOpen } from './recent.ts';
import { usePaletteGroups } from './use-palette-items.tsx';
import type { PaletteItem } from './palette-item.tsx';

const PLAYERS_SHOWN = 6;

/** The keys that were typed before the palette was loaded. */
export interface TypedEarly {
  text: string;
  isEntered: boolean;
}

/** The palette, which Ctrl/Cmd-K opens. It finds pages, players and everything that a studio defines. */
export function CommandPalette({ early }: { early: TypedEarly }) {
  const { game, game_id, environment, path } = useGame();
  const open = useOpen();
  const [query, setQuery] = useState(early.text);
  /** True if Enter was pressed. The best match then opens as soon as it is known. */
  const [isEntered, setEntered] = useState(early.isEntered);
  const [paused] = useDebouncedValue(query.trim(), 150);
  const search = isEntered ? query.trim() : paused;
  const found = useRead(
    'GET /v1/games/{game_id}/players',
    { params: { game_id }, query: { environment, search, limit: PLAYERS_SHOWN } },
    { enabled: search !== '', keep: true },
  );
  // Until the next answer comes, the players that were found for the earlier text stay. Ranking drops those
  // who no longer match, so Enter never opens them.
  const letters = query.trim().toLowerCase();
  const players: Group<PaletteItem> = {
    label: 'Players',
    items: (letters && found.data ? found.data.players : []).map(({ player_id, name }) => ({
      key: player_id,
      label: name ?? player_id,
      // A player who was found by a login or an order has the text in neither name nor id.
      keywords: found.data?.found_by === undefined ? player_id : `${player_id} ${search}`,
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

  const defined = usePaletteGroups(letters !== '');
  const groups = rankGroups(letters, [...defined.groups, players]);
  const isEmpty = groups.length === 0;
  const isSearching = query.trim() !== search || found.isFetching || defined.isReading;
  const isExact = groups[0]?.items[0]?.label.toLowerCase() === letters;
  /** True while a better match than the first one may still come. */
  const mayImprove = letters !== '' && isSearching && !isExact;

  const [list, setList] = useState<HTMLDivElement | null>(null);
  /** True if the user pressed an arrow key to choose the highlighted action. */
  const isChosen = useRef(false);
  useEffect(() => {
    if (list === null) return;
    const first = list.querySelector<HTMLElement>('[data-action]');
    const highlighted = list.querySelector('[data-selected]');
    if (first !== highlighted && !(isChosen.current && highlighted)) {
      highlighted?.removeAttribute('data-selected');
      first?.setAttribute('data-selected', 'true');
    }
    if (!isEntered || mayImprove) return;
    setEntered(false);
    first?.click();
  });

  const field = useRef<HTMLInputElement>(null);
  const takeKey = useEffectEvent((event: KeyboardEvent) => {
    if (field.current === null || event.isComposing) return;
    // The field gets the focus a moment after the palette opens. Keys that are typed before that belong to
    // the field too.
    field.current.focus();
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      isChosen.current = !isEmpty;
      setEntered(false);
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    // Enter waits for the end of the search, so fast typing opens the same thing as slow typing.
    if (mayImprove && !isChosen.current) setEntered(true);
    else list?.querySelector<HTMLElement>('[data-selected]')?.click();
  });
  // A layout effect adds the listener before the browser paints. A usual effect would run later, and keys
  // pressed before it would be lost.
  useLayoutEffect(() => {
    addEventListener('keydown', takeKey, true);
    return () => removeEventListener('keydown', takeKey, true);
  }, []);

  return (
    <Spotlight.Root
      store={paletteStore}
      query={query}
      onQueryChange={(text) => {
        setQuery(text);
        setEntered(false);
        isChosen.current = false;
      }}
      shortcut={null}
      // Without a transition, no typed letters are lost when the palette is opened right after it was closed.
      transitionProps={{ duration: 0 }}
      // The field stays in place while the list below grows and shrinks.
      centered={false}
      yOffset="12dvh"
      attributes={{ content: { 'aria-label': 'Search pages, players and everything else' } }}
      scrollable
      maxHeight={420}
    >
      <Spotlight.Search
        placeholder="Find a page, a player, an order, a board…"
        aria-label="Search pages, players and everything else"
        leftSection={<IconSearch size={18} />}
        ref={field}
      />
      <Spotlight.ActionsList ref={setList}>
        {groups.map(({ label: group, items }) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {items.map(({ key, label, description, icon, open: openItem }) => (
              <Spotlight.Action
                key={key}
                label={showName(label)}
                description={description}
                leftSection={icon}
                onClick={openItem}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {isEmpty && !isSearching && (
          <Spotlight.Empty>
            Nothing here by that name
            {game.player_name_property === null &&
              '. Players are found by their ids until Settings says which property has their names'}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
