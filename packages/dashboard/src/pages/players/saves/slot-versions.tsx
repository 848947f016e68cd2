import { Badge, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { Ago } from '../../../ui/time/moment.tsx';
import { Note, PartTitle } from '../../../ui/text.tsx';
import { formatBytes } from '../../../ui/format.ts';
import { Card, Loaded } from '../../../ui/page.tsx';
import { useSearchState } from '../../../ui/search-state.ts';
import { formatMoment } from '../../../ui/time/format-time.ts';
import { VersionCard } from './version-card.tsx';
import type { SavePlace } from './use-save-text.ts';
import classes from './slot-versions.module.css';
import type { SaveVersion } from './save-version.ts';

/**
 * Shows the versions of one save, and one of these versions with its data and its changes since another
 * version.
 */
export function SlotVersions({ save }: { save: SavePlace }) {
  const { inEnvironment } = useGame();
  const { player_id, slot } = save;
  const versions = useRead(
    'GET /v1/games/{game_id}/players/{player_id}/saves',
    inEnvironment({ player_id }, { slot }),
  );
  const { search, set } = useSearchState();

  return (
    <Loaded query={versions}>
      {({ saves, deleted_at }) => {
        const chosen = (name: string) =>
          saves.find(({ version }) => String(version) === search.get(name));
        const shown = chosen('version') ?? saves[0];
        // The save was erased after the list of slots was loaded.
        if (shown === undefined) return null;
        const others = saves.filter((each) => each !== shown);
        const before = others.find(({ version }) => version < shown.version);
        const against = others.find((each) => each === chosen('against')) ?? before ?? others[0];
        return (
          <Stack gap="md">
            {deleted_at && (
              <Text size="sm">
                The save was deleted <Ago at={deleted_at} />. A version can be restored.
              </Text>
            )}
            <div className={classes.columns}>
              <VersionList
                saves={saves}
                shown={shown}
                onChoose={({ version }) =>
                  set({
                    version: version === saves[0]!.version ? null : String(version),
                    against: null,
                  })
                }
              />
              <VersionCard
                key={shown.version}
                save={save}
                version={shown}
                against={against}
                others={others}
                onCompare={(version) => set({ against: version })}
                onStored={() => set({ version: null, against: null })}
              />
            </div>
          </Stack>
        );
      }}
    </Loaded>
  );
}

function VersionList(props: {
  saves: readonly SaveVersion[];
  shown: SaveVersion;
  onChoose: (save: SaveVersion) => void;
}) {
  const { game } = useGame();
  return (
    <Card title="Versions">
      <Stack gap={2} className={classes.versions}>
        {props.saves.map((save) => (
          <UnstyledButton
            key={save.version}
            className={classes.version}
            aria-pressed={save === props.shown}
            onClick={() => props.onChoose(save)}
          >
            <Group justify="space-between" wrap="nowrap">
              <PartTitle>Version {save.version}</PartTitle>
              {save.is_current && <Badge>current</Badge>}
            </Group>
            <Text size="xs">{formatMoment(save.updated_at, game.time_zone)}</Text>
            <Note>
              <Ago at={save.updated_at} />, {formatBytes(save.size_bytes)}
              {save.app_version !== null && `, game ${save.app_version}`}
            </Note>
          </UnstyledButton>
        ))}
      </Stack>
    </Card>
  );
}
