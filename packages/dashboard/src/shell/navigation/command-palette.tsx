import { Spotlight } from '@mantine/spotlight';
import { useDebouncedValue, useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRead, useRequired } from '../../api/hooks.ts';
import { ContourGlyph } from '../../ui/contours/contour-glyph.tsx';
import {
  IconBolt,
  IconBook2,
  IconKeyboard,
  IconPlus,
  IconSearch,
  IconServer,
  IconUser,
} from '../../ui/icons.ts';
import { EnvironmentDot } from './environment-switch.tsx';
import { ENVIRONMENT_NAMES, gamePath, useGame } from '../game.ts';
import { paletteStore } from './palette.ts';
import { ALL_PLACES } from './places.ts';
import { SHOW_SHORTCUTS } from './shortcuts.tsx';

const PLAYERS_SHOWN = 6;

/** The keys that were typed before the palette was there. */
export interface TypedEarly {
  text: string;
  isEntered: boolean;
}

/** Opens by Ctrl/Cmd-K, and finds every page, game and player by a few letters. */
export function CommandPalette({ early }: { early: TypedEarly }) {
  const { game_id, environment, path } = useGame();
  const { games } = useRequired('GET /v1/games', {});
  const { data: account } = useRead('GET /v1/auth/me', {});
  const navigate = useNavigate();
  const [query, setQuery] = useState(early.text);
  const [search] = useDebouncedValue(query.trim(), 150);
  const found = useRead(
    'GET /v1/games/{game_id}/players',
    { params: { game_id }, query: { environment, search, limit: PLAYERS_SHOWN } },
    { enabled: search !== '', keep: true },
  );
  // Until the answer to the last letters arrives, Enter must not open a player found by earlier
  // letters.
  const letters = query.trim().toLowerCase();
  const players = (letters && found.data ? found.data.players : []).filter(({ player_id }) =>
    player_id.toLowerCase().includes(letters),
  );

  // The field gets the focus a moment after the palette opens. Keys typed before that belong to it.
  const field = useRef<HTMLInputElement>(null);
  useWindowEvent('keydown', () => field.current?.focus(), true);

  const isSearching = query.trim() !== search || found.isFetching;
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

  const words = letters.split(/\s+/);
  const matches = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const places = ALL_PLACES.filter(({ name, keywords }) => matches(`${name} ${keywords}`));
  const others = [
    {
      name: 'Connect your game',
      keywords: 'start sdk snippet code',
      icon: IconBolt,
      open: () => navigate(path('start')),
    },
    {
      name: 'New game',
      keywords: 'create',
      icon: IconPlus,
      open: () => navigate('/games/new'),
    },
    {
      name: 'Your account',
      keywords: 'password theme log out',
      icon: IconUser,
      open: () => navigate('/account'),
    },
    ...(account?.is_administrator
      ? [
          {
            name: 'Administration',
            keywords: 'accounts tiers health installation',
            icon: IconServer,
            open: () => navigate('/admin'),
          },
        ]
      : []),
    {
      name: 'API reference',
      keywords: 'docs help openapi',
      icon: IconBook2,
      open: () => window.open('/docs'),
    },
    {
      name: 'Keyboard shortcuts',
      keywords: 'help keys',
      icon: IconKeyboard,
      open: () => dispatchEvent(new Event(SHOW_SHORTCUTS)),
    },
  ].filter(({ name, keywords }) => matches(`${name} ${keywords}`));
  const otherGames = games.filter(({ id, name }) => id !== game_id && matches(`game ${name}`));
  const other = environment === 'production' ? 'development' : 'production';
  const toOther = `Switch to ${ENVIRONMENT_NAMES[other]}`;
  const leadsToOther = matches(toOther);
  const isEmpty =
    !leadsToOther && places.length + players.length + otherGames.length + others.length === 0;

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
      attributes={{ content: { 'aria-label': 'Search pages, games and players' } }}
      scrollable
      maxHeight={420}
    >
      <Spotlight.Search
        placeholder="Go to a page, a game or a player"
        aria-label="Search pages, games and players"
        leftSection={<IconSearch size={18} />}
        ref={field}
        onKeyDown={({ key, nativeEvent }) => {
          // Where nothing else has that name, Enter waits for the players that are being searched.
          const isWaiting = isEmpty && isSearching && !nativeEvent.isComposing;
          if (key === 'Enter' && isWaiting) entered.current = letters;
        }}
      />
      <Spotlight.ActionsList ref={list}>
        {places.length > 0 && (
          <Spotlight.ActionsGroup label="Pages">
            {places.map(({ path: page, name, icon: PlaceIcon }) => (
              <Spotlight.Action
                key={page}
                label={name}
                leftSection={<PlaceIcon size={18} />}
                onClick={() => navigate(path(page))}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {players.length > 0 && (
          <Spotlight.ActionsGroup label="Players">
            {players.map(({ player_id }) => (
              <Spotlight.Action
                key={player_id}
                label={player_id}
                leftSection={<IconUser size={18} />}
                onClick={() => navigate(path('players', player_id))}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {otherGames.length > 0 && (
          <Spotlight.ActionsGroup label="Games">
            {otherGames.map(({ id, name }) => (
              <Spotlight.Action
                key={id}
                label={name}
                leftSection={<ContourGlyph seed={id} size={20} />}
                onClick={() => navigate(gamePath(id, environment))}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {leadsToOther && (
          <Spotlight.ActionsGroup label="Environment">
            <Spotlight.Action
              label={toOther}
              leftSection={<EnvironmentDot environment={other} />}
              onClick={() => navigate(gamePath(game_id, other))}
            />
          </Spotlight.ActionsGroup>
        )}
        {others.length > 0 && (
          <Spotlight.ActionsGroup label="More">
            {others.map(({ name, icon: OtherIcon, open }) => (
              <Spotlight.Action
                key={name}
                label={name}
                leftSection={<OtherIcon size={18} />}
                onClick={open}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {isEmpty && !isSearching && <Spotlight.Empty>Nothing here by that name</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
