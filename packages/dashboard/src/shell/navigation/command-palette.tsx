import { Spotlight } from '@mantine/spotlight';
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

/** The keys that were typed before the palette was there. */
export interface TypedEarly {
  text: string;
  isEntered: boolean;
}

/** Opens by Ctrl/Cmd-K, and finds pages, players and everything that a studio has defined. */
export function CommandPalette({ early }: { early: TypedEarly }) {
  const { game, game_id, environment, path } = useGame();
  const open = useOpen();
  const [query, setQuery] = useState(early.text);
  /** Enter was pressed: the best match opens as soon as it is known. */
  const [isEntered, setEntered] = useState(early.isEntered);
  const [paused] = useDebouncedValue(query.trim(), 150);
  const search = isEntered ? query.trim() : paused;
  const found = useRead(
    'GET /v1/games/{game_id}/players',
    { params: { game_id }, query: { environment, search, limit: PLAYERS_SHOWN } },
    { enabled: search !== '', keep: true },
  );
  // The answer to earlier letters stays until the next answer is there. Ranking drops players who no
  // longer match, so that Enter never opens them.
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

  const defined = usePaletteGroups(letters !== '');
  const groups = rankGroups(letters, [...defined.groups, players]);
  const isEmpty = groups.length === 0;
  const isSearching = query.trim() !== search || found.isFetching || defined.isReading;
  const isExact = groups[0]?.items[0]?.label.toLowerCase() === letters;
  /** A better match than the first one may be on its way. */
  const mayImprove = letters !== '' && isSearching && !isExact;

  const [list, setList] = useState<HTMLDivElement | null>(null);
  /** True if the reader went to the highlighted action by arrow keys. */
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
    // The field gets the focus a moment after the palette opens. Keys typed before that belong to it.
    field.current.focus();
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      isChosen.current = !isEmpty;
      setEntered(false);
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    // So fast typing opens the same thing as slow typing.
    if (mayImprove && !isChosen.current) setEntered(true);
    else list?.querySelector<HTMLElement>('[data-selected]')?.click();
  });
  // With a later effect, there would be a moment in which nobody takes the keys.
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
      />
      <Spotlight.ActionsList ref={setList}>
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
