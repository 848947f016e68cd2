import { parseOr } from '../../../api/exact-json.ts';
import type { Cell } from '../../../reports/drill-down/cells.ts';
import { describeSelection, readSelection } from '../../../reports/players/player-selection.ts';
import { normalizeTag } from '@overworld/contract/players/tags';
import { readChoice, readList, writeChoice } from '../../../reports/questions/event-choice.ts';
import type { EventChoice } from '../../../reports/questions/event-choice.ts';
import { useSearchState } from '../../../ui/search-state.ts';
import { readConditions, writeConditions } from '../../../ui/conditions/conditions.ts';
import type { PlayerCondition } from '../../../ui/conditions/conditions.ts';

/**
 * The condition that players had an event at least `at_least` times, or, if `did` is false, did not have it.
 */
export interface EventCondition extends EventChoice {
  did: boolean;
  at_least: number;
}

export const BLANK_CONDITION: EventCondition = {
  event_name: '',
  filter: [],
  did: true,
  at_least: 1,
};

const readEventCondition = (condition: Record<string, unknown>): EventCondition => ({
  ...readChoice(condition),
  did: condition.did !== false,
  at_least:
    typeof condition.at_least === 'number' && condition.at_least >= 1
      ? Math.round(condition.at_least)
      : 1,
});

const writeEventCondition = ({ did, at_least, ...choice }: EventCondition) => ({
  ...writeChoice(choice),
  ...(!did && { did }),
  ...(at_least > 1 && { at_least }),
});

const writeEventConditions = (eventConditions: readonly EventCondition[]) =>
  eventConditions.length > 0 ? JSON.stringify(eventConditions.map(writeEventCondition)) : '';

function readCell(text: string | null): Cell | null {
  const value = parseOr(text ?? '', null) as Cell | null;
  return typeof value?.report === 'string' ? value : null;
}

/** Reads the segment from the URL. An event condition has an empty name until the reader chooses an event. */
export function useSegmentQuestion() {
  const { search, set } = useSearchState();
  const tags = search.getAll('tag');
  const conditions = readConditions<PlayerCondition>(search.get('filter'));
  const eventConditions = readList(search.get('events')).map(readEventCondition);
  const cell = readCell(search.get('cell'));
  const players = search.get('players');
  const asked = eventConditions.filter(({ event_name }) => event_name !== '');
  return {
    tags,
    conditions,
    eventConditions,
    asked,
    /**
     * The number in another report from which the reader came here, and which counts these players; null if
     * the reader came from elsewhere.
     */
    cell,
    /** Describes the players to whom the other report is limited. */
    among: describeSelection(readSelection(players)),
    /** True if there is a condition, and the reader has chosen an event in each event condition. */
    isWhole:
      tags.length + conditions.length + asked.length + Number(cell !== null) > 0 &&
      asked.length === eventConditions.length,
    query: {
      tag: tags.length > 0 ? tags : undefined,
      filter: writeConditions(conditions) || undefined,
      events: writeEventConditions(asked) || undefined,
      players: players || undefined,
      cell: cell === null ? undefined : JSON.stringify(cell),
    },
    dropCell: () => set({ cell: null, players: null }),
    setTags: (next: string[]) => set({ tag: next.map(normalizeTag) }),
    setConditions: (next: PlayerCondition[]) => set({ filter: writeConditions(next) }),
    setEventConditions: (next: EventCondition[]) => set({ events: writeEventConditions(next) }),
    clear: () => set({ tag: null, filter: null, events: null, players: null, cell: null }),
  };
}

export type SegmentQuestion = ReturnType<typeof useSegmentQuestion>;
