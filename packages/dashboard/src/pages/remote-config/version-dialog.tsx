import { Modal, Select, Stack, Tabs } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Json } from '../../ui/json/code.tsx';
import { Loaded } from '../../ui/page.tsx';
import { ChangeList } from './changes/change-list.tsx';
import type { Parameters } from './changes/parameter-changes.ts';

interface DialogProps {
  /** The version to show; null while the dialog is closed. */
  version: number | null;
  /** The versions with which the shown version can be compared. */
  versions: readonly number[];
  onClose: () => void;
}

/** Shows a version of the config, with its differences from another version. */
export function VersionDialog({ version, versions, onClose }: DialogProps) {
  return (
    <Modal opened={version !== null} onClose={onClose} title={`Version ${version}`} size="lg">
      {version !== null && <VersionContent version={version} versions={versions} />}
    </Modal>
  );
}

/** A reader who chooses this number compares the version with an empty config. Real versions begin at 1. */
const NOTHING = 0;

function VersionContent({ version, versions }: { version: number; versions: readonly number[] }) {
  const earlier = versions.find((each) => each < version) ?? NOTHING;
  const [compared, setCompared] = useState(earlier);
  const choices = versions.includes(1) ? [...versions, NOTHING] : versions;
  return (
    <Tabs defaultValue="changes" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="changes">Changes</Tabs.Tab>
        <Tabs.Tab value="all">All parameters</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="changes">
        <Stack>
          <Select
            label="Compared with"
            data={choices
              .filter((each) => each !== version)
              .map((each) => ({
                value: String(each),
                label: each === NOTHING ? 'no parameters' : `version ${each}`,
              }))}
            value={String(compared)}
            onChange={(value) => setCompared(Number(value))}
            comboboxProps={{ withinPortal: false }}
          />
          <WithVersion version={compared}>
            {(before) => (
              <WithVersion version={version}>
                {(after) => <ChangeList before={before} after={after} />}
              </WithVersion>
            )}
          </WithVersion>
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="all">
        <WithVersion version={version}>
          {(parameters) => <Json value={parameters} label="parameters" maxHeight={560} />}
        </WithVersion>
      </Tabs.Panel>
    </Tabs>
  );
}

/** Loads a version and passes its parameters to the children. */
export function WithVersion(props: {
  version: number;
  children: (parameters: Parameters) => React.ReactNode;
}) {
  const { version, children } = props;
  const { inEnvironment } = useGame();
  const config = useRead(
    'GET /v1/games/{game_id}/config/versions/{version}',
    inEnvironment({ version }),
    { enabled: version !== NOTHING },
  );
  if (version === NOTHING) return children({});
  return <Loaded query={config}>{({ parameters }) => children(parameters)}</Loaded>;
}
