import {
  Badge,
  Button,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { MAIN_SLOT } from '@overworld/contract/saves/limits';
import { useState } from 'react';
import { useChange, useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { Ago } from '../../../ui/ago.tsx';
import { Json } from '../../../ui/json/code.tsx';
import { Confirm } from '../../../ui/forms/confirm.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatBytes } from '../../../ui/format.ts';
import { notify } from '../../../ui/notify.tsx';
import { Card, Lines, Loaded } from '../../../ui/page.tsx';
import { useSearchState } from '../../../ui/search-state.ts';
import type { Player } from '../player-overview.tsx';
import { SaveDiff } from './save-diff.tsx';
import classes from './player-saves.module.css';

/** The player's saves: the slots, if there are several, and the versions of one of them. */
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
            <Card>
              <EmptyState title="No save yet">
                When the game stores a save for this player, its versions show here.
              </EmptyState>
            </Card>
          );
        }
        return (
          <Stack gap="md">
            {(all.length > 1 || shown.slot !== MAIN_SLOT) && (
              <Select
                label="Slot"
                maw={360}
                searchable={all.length > 10}
                allowDeselect={false}
                data={all.map(({ slot, deleted_at }) => ({
                  value: slot,
                  label: deleted_at ? `${slot} (deleted)` : slot,
                }))}
                value={shown.slot}
                onChange={(slot) => set({ slot: slot === all[0]!.slot ? null : slot })}
              />
            )}
            <SlotVersions key={shown.slot} player_id={player_id} slot={shown.slot} />
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** The versions of one save, with the data of one and its changes since the version before. */
function SlotVersions({ player_id, slot }: { player_id: string; slot: string }) {
  const { inEnvironment } = useGame();
  const versions = useRead(
    'GET /v1/games/{game_id}/players/{player_id}/saves',
    inEnvironment({ player_id }, { slot }),
  );
  const [chosen, setChosen] = useState<number | null>(null);

  return (
    <Loaded query={versions}>
      {({ saves, deleted_at }) => {
        const shown = saves.find(({ version }) => version === chosen) ?? saves[0];
        // The save was erased since the slots were read.
        if (shown === undefined) return null;
        const before = saves[saves.indexOf(shown) + 1];
        return (
          <Stack gap="md">
            {deleted_at && (
              <Text size="sm">
                The save was deleted <Ago at={deleted_at} />. A version can be restored.
              </Text>
            )}
            <div className={classes.columns}>
              <Card title="Versions">
                <Stack gap={2} className={classes.versions}>
                  {saves.map((save) => (
                    <UnstyledButton
                      key={save.version}
                      className={classes.version}
                      aria-pressed={save === shown}
                      onClick={() => setChosen(save.version)}
                    >
                      <Group justify="space-between" wrap="nowrap">
                        <Text size="sm" fw={600}>
                          Version {save.version}
                        </Text>
                        {save.is_current && <Badge>current</Badge>}
                      </Group>
                      <Text size="xs" c="dimmed">
                        <Ago at={save.updated_at} />, {formatBytes(save.size_bytes)}
                      </Text>
                    </UnstyledButton>
                  ))}
                </Stack>
              </Card>
              <VersionCard
                key={shown.version}
                player_id={player_id}
                slot={slot}
                version={shown.version}
                before={before?.version ?? null}
                isCurrent={shown.is_current}
              />
            </div>
          </Stack>
        );
      }}
    </Loaded>
  );
}

function VersionCard(props: {
  player_id: string;
  slot: string;
  version: number;
  before: number | null;
  isCurrent: boolean;
}) {
  const { player_id, slot, version, before, isCurrent } = props;
  const { inEnvironment, can } = useGame();
  const read = 'GET /v1/games/{game_id}/players/{player_id}/saves/{version}';
  const input = inEnvironment({ player_id, version }, { slot });
  const save = useRead(read, input);
  const earlier = useRead(read, inEnvironment({ player_id, version: before ?? 0 }, { slot }), {
    enabled: before !== null,
  });
  const restore = useChange('POST /v1/games/{game_id}/players/{player_id}/saves/{version}/restore');
  const [asking, setAsking] = useState(false);

  return (
    <Card
      title={`Version ${version}`}
      actions={
        !isCurrent &&
        can('developer') && (
          <Button size="xs" variant="default" onClick={() => setAsking(true)}>
            Restore
          </Button>
        )
      }
    >
      <Loaded query={save} skeleton={<Lines count={8} />}>
        {({ data }) => (
          <Stack gap="md">
            {earlier.data && (
              <SimpleGrid cols={1} spacing={4}>
                <Text size="sm" fw={600}>
                  Changed since version {before}
                </Text>
                <SaveDiff before={earlier.data.data} after={data} />
              </SimpleGrid>
            )}
            <Json value={data} label="save data" maxHeight={520} />
          </Stack>
        )}
      </Loaded>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Restore version ${version}?`}
        action="Restore"
        onConfirm={async () => {
          await restore.mutateAsync(input);
          notify.done(`Version ${version} restored`);
        }}
      >
        Its data becomes the newest version of this save, and the current version stays in the
        history. A running game gets a version conflict the next time it saves.
      </Confirm>
    </Card>
  );
}
