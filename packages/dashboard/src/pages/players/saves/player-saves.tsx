import { Select, Stack } from '@mantine/core';
import { MAIN_SLOT } from '@overworld/contract/saves/limits';
import { useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { EmptyCard, Loaded } from '../../../ui/page.tsx';
import { useSearchState } from '../../../ui/search-state.ts';
import type { Player } from '../player.ts';
import { SlotVersions } from './slot-versions.tsx';

/** Shows the player's saves: the slots, if there are several, and the versions of one slot. */
export function PlayerSaves({ player: { player_id } }: { player: Player }) {
  const { inEnvironment } = useGame();
  const slots = useRead(
    'GET /v1/games/{game_id}/players/{player_id}/save-slots',
    inEnvironment({ player_id }),
  );
  const { search, set } = useSearchState();
  const chosen = search.get('slot');

  return (
    <Loaded query={slots}>
      {({ slots: all }) => {
        const shown = all.find(({ slot }) => slot === chosen) ?? all[0];
        if (shown === undefined) {
          return (
            <EmptyCard title="No save yet">
              When the game stores a save for this player, its versions show here.
            </EmptyCard>
          );
        }
        return (
          <Stack gap="md">
            {(all.length > 1 || shown.slot !== MAIN_SLOT) && (
              <Select
                label="Slot"
                maw={360}
                searchable={all.length > 10}
                data={all.map(({ slot, deleted_at }) => ({
                  value: slot,
                  label: deleted_at ? `${slot} (deleted)` : slot,
                }))}
                value={shown.slot}
                onChange={(slot) =>
                  set({ slot: slot === all[0]!.slot ? null : slot, version: null, against: null })
                }
              />
            )}
            <SlotVersions key={shown.slot} save={{ player_id, slot: shown.slot }} />
          </Stack>
        );
      }}
    </Loaded>
  );
}
