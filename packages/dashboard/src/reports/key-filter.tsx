import { Select } from '@mantine/core';
import { useRead } from '../api/hooks.ts';
import { useGame } from '../shell/game.ts';
import { useSearchState } from '../ui/search-state.ts';

const ALL = 'all';
/** More than anybody chooses from a list. */
const KEYS_SHOWN = 200;

/** The API key of the environment that a report is limited to, as the address says it. */
export function useKeyFilter() {
  const { search, set } = useSearchState();
  return {
    key_id: search.get('key_id') ?? undefined,
    setKey: (key_id: string | null) => set({ key_id }),
  };
}

/** Limits the reports of a page to what came with one API key. */
export function KeyFilter() {
  const { game_id, environment } = useGame();
  const { key_id = ALL, setKey } = useKeyFilter();
  const keys = useRead('GET /v1/games/{game_id}/api-keys', {
    params: { game_id },
    query: { limit: KEYS_SHOWN },
  });
  const listed = keys.data?.api_keys.filter((key) => key.environment === environment) ?? [];
  const choices = listed.map(({ id, name, prefix }) => {
    // One that was rotated has the name of the one that replaced it.
    const isShared = listed.some((key) => key.name === name && key.id !== id);
    return { value: id, label: isShared ? `${name} (${prefix}…)` : name };
  });
  const isKnown = key_id === ALL || choices.some(({ value }) => value === key_id);
  return (
    <Select
      aria-label="API key"
      w={200}
      allowDeselect={false}
      data={[
        { value: ALL, label: 'All API keys' },
        ...choices,
        ...(isKnown ? [] : [{ value: key_id, label: 'A deleted key' }]),
      ]}
      value={key_id}
      onChange={(value) => setKey(value === ALL ? null : value)}
    />
  );
}
