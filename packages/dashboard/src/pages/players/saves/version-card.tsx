import { Button, Group, Select, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useChange, useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { Confirm, FormDialog } from '../../../ui/forms/dialogs.tsx';
import { Json } from '../../../ui/json/code.tsx';
import { notify } from '../../../ui/notify.tsx';
import { Card, Lines, Loaded } from '../../../ui/page.tsx';
import { formatMoment } from '../../../ui/time/format-time.ts';
import { SaveDiff } from './save-diff.tsx';
import { SaveEditor } from './save-editor.tsx';
import type { SaveVersion } from './save-version.ts';
import type { SavePlace } from './use-save-text.ts';
import { PartTitle } from '../../../ui/text.tsx';

interface CardProps {
  save: SavePlace;
  version: SaveVersion;
  /** The version with which `version` is compared; undefined if there is no other version. */
  against: SaveVersion | undefined;
  others: readonly SaveVersion[];
  onCompare: (version: string | null) => void;
  /** Called when the save has a new version. */
  onStored: () => void;
}

/**
 * Shows one version with its data and its differences from another one. The current version can be
 * edited.
 */
export function VersionCard(props: CardProps) {
  const { save, version: shown, against, others, onCompare, onStored } = props;
  const { player_id, slot } = save;
  const { version, is_current } = shown;
  const { game, inEnvironment, can } = useGame();
  const read = 'GET /v1/games/{game_id}/players/{player_id}/saves/{version}';
  const input = inEnvironment({ player_id, version }, { slot });
  const data = useRead(read, input);
  const other = useRead(
    read,
    inEnvironment({ player_id, version: against?.version ?? 0 }, { slot }),
    { enabled: against !== undefined },
  );
  const restore = useChange('POST /v1/games/{game_id}/players/{player_id}/saves/{version}/restore');
  const [isRestoring, restoring] = useDisclosure();
  const [isEditing, editing] = useDisclosure();

  return (
    <Card
      title={`Version ${version}`}
      actions={
        can('developer') &&
        (is_current ? (
          <Button size="xs" variant="default" onClick={editing.open}>
            Edit
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={restoring.open}>
            Restore
          </Button>
        ))
      }
    >
      <Loaded query={data} skeleton={<Lines count={8} />}>
        {({ data: shown_data }) => (
          <Stack gap="md">
            {against && (
              <div>
                <Group gap="xs" mb={6} align="center">
                  <PartTitle>Changed since version {against.version}</PartTitle>
                  {others.length > 1 && (
                    <Select
                      size="xs"
                      w={300}
                      aria-label="Compare with"
                      data={others.map((each) => ({
                        value: String(each.version),
                        label: `Version ${each.version}, ${formatMoment(each.updated_at, game.time_zone)}`,
                      }))}
                      value={String(against.version)}
                      onChange={onCompare}
                    />
                  )}
                </Group>
                <Loaded query={other} skeleton={<Lines count={3} />}>
                  {(before) => <SaveDiff before={before.data} after={shown_data} />}
                </Loaded>
              </div>
            )}
            <Json value={shown_data} label="save data" maxHeight={520} />
          </Stack>
        )}
      </Loaded>
      <FormDialog opened={isEditing} onClose={editing.close} title="Edit the save" size="xl">
        <SaveEditor save={save} version={version} onStored={onStored} />
      </FormDialog>
      <Confirm
        opened={isRestoring}
        onClose={restoring.close}
        title={`Restore version ${version}?`}
        action="Restore"
        onConfirm={async () => {
          await restore.mutateAsync(input);
          notify.done(`Version ${version} restored`);
          onStored();
        }}
      >
        Its data of {formatMoment(shown.updated_at, game.time_zone)} becomes the newest version of
        this save, and the current version stays in the history. A running game gets a version
        conflict the next time it saves.
      </Confirm>
    </Card>
  );
}
