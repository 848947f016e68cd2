import { Select } from '@mantine/core';
import { useRead } from '../api/hooks.ts';
import { useGame } from '../shell/game.ts';
import { useSearchState } from '../ui/search-state.ts';

const ALL = 'all';
/** The maximum number of keys in the list. Nobody chooses from a longer list. */
const KEYS_SHOWN = 200;

/** Reads the id of the API key to which the URL limits a report. */
export const useKeyFilter = () => useSearchState().search.get('key_id') ?? undefined;

/** Limits the reports of a page to the events of one API key. */
export function KeyFilter() {
  const { game_id, environment } = useGame();
  const { set } = useSearchState();
  const key_id = useKeyFilter() ?? ALL;
  const keys = useRead('GET /v1/games/{game_id}/api-keys', {
    params: { game_id },
    query: { limit: KEYS_SHOWN },
  });
  const listed = keys.data?.api_keys.filter((key) => key.environment === environment) ?? [];
  const choices = listed.map(({ id, name, prefix }) => {
    // A rotated key has the same name as the key that replaced it, so the prefix tells them apart.
    const isShared = listed.some((key) => key.name === name && key.id !== id);
    return { value: id, label: isShared ? `${name} (${prefix}…)` : name };
  });
  const isKnown = key_id === ALL || choices.some(({ value }) => value === key_id);
  return (
    <Select
      aria-label="API key"
      w={200}
      data={[
        { value: ALL, label: 'All API keys' },
        ...choices,
        ...(isKnown ? [] : [{ value: key_id, label: 'A deleted key' }]),
      ]}
      value={key_id}
      onChange={(value) => set({ key_id: value === ALL ? null : value })}
    />
  );
}
