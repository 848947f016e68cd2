import { STORY_KINDS } from '@overworld/contract/players/story-kinds';
import type { StoryKind } from '@overworld/contract/players/story-kinds';
import { isDay } from '../../../reports/days/report-days.ts';
import { useGame } from '../../../shell/game.ts';
import { useSearchState } from '../../../ui/search-state.ts';
import { calendarDayOf } from '../../../ui/time/format-time.ts';
import type { PurchaseSettings } from './purchases.ts';
import { endOfDay, zonesFor } from './zones.ts';

/** A kind of entries that readers choose. Purchases are events of the name that the game has chosen. */
export type ChosenKind = StoryKind | 'purchase';
const CHOSEN_KINDS: readonly ChosenKind[] = [...STORY_KINDS, 'purchase'];

export type StoryState = ReturnType<typeof useStoryState>;

/**
 * Returns the reader's choices for the story of a player,
 * and functions that change them. The URL holds the choices.
 */
export function useStoryState() {
  const { game } = useGame();
  const { search, set } = useSearchState();
  const zones = zonesFor(game.time_zone);
  const zone = zones.find(({ name }) => name === search.get('zone'))?.name ?? game.time_zone;
  const kinds = readKinds(search);
  const asked_day = search.get('day') ?? '';
  const day = isDay(asked_day) ? asked_day : '';
  const session_id = search.get('session');
  const event_name = search.get('event') ?? '';
  return {
    zone,
    zones,
    kinds,
    day,
    session_id,
    /** The name of the events that are shown; empty to show those of all names. */
    event_name,
    /** The story lists only entries from before this moment. */
    before: day === '' || session_id !== null ? undefined : endOfDay(day, zone),
    isFiltered: kinds.length > 0 || day !== '' || session_id !== null || event_name !== '',
    /** The part of the request that says which kinds of entries are read. */
    questionFor(purchases: PurchaseSettings | null): { kind: StoryKind[]; event_name?: string } {
      const kind = kinds.filter((each) => each !== 'purchase');
      if (event_name !== '') {
        return { kind: [...new Set<StoryKind>([...kind, 'event'])], event_name };
      }
      if (purchases === null || !kinds.includes('purchase') || kind.includes('event')) {
        return { kind };
      }
      return { kind: [...kind, 'event'], event_name: purchases.event_name };
    },
    toggleKind(kind: ChosenKind) {
      // Read the kinds from the URL, because `kinds` is out of date if the reader clicks two kinds quickly.
      const now = readKinds(new URLSearchParams(location.search));
      set({
        kind: now.includes(kind) ? now.filter((each) => each !== kind) : [...now, kind],
        // The server takes one name of events, and purchases have a name of their own.
        ...(kind === 'purchase' && { event: null }),
      });
    },
    setEvent: (name: string) =>
      set({ event: name, kind: kinds.filter((kind) => kind !== 'purchase') }),
    setDay: (next: string) => set({ day: next }),
    setZone: (next: string | null) => set({ zone: next === game.time_zone ? null : next }),
    showAll: () => set({ session: null, kind: null, day: null, event: null }),
    /** Leaves the view of one session, and shows the day of this moment. */
    showDayOf: (iso: string) => set({ session: null, day: calendarDayOf(new Date(iso), zone) }),
  };
}

const readKinds = (search: URLSearchParams) =>
  search
    .getAll('kind')
    .filter((kind): kind is ChosenKind => (CHOSEN_KINDS as readonly string[]).includes(kind));
