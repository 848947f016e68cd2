import { Badge, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { OUTCOMES } from '../../../restorations/restoration.ts';
import { useGame } from '../../../shell/game.ts';
import { TextLink } from '../../../ui/links.tsx';
import { Card, Lines, Loaded } from '../../../ui/page.tsx';
import { Dimmed, Note } from '../../../ui/text.tsx';
import { SaveDiff } from '../saves/save-diff.tsx';
import type { ShownRestoration } from './restoration.ts';

type ExampleSave = ShownRestoration['examples'][number];

/** The number of saves whose differences are shown at first. */
const SHOWN = 3;

/** Shows some of the saves that were found, with what a restoration changes in them. */
export function ExampleSaves({ saves }: { saves: readonly ExampleSave[] }) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <Card title="Some of these saves">
      <Stack gap="lg">
        {saves.slice(0, shown).map((save) => (
          <Example key={`${save.player_id} ${save.slot}`} save={save} />
        ))}
        {saves.length > shown && (
          <div>
            <Button size="xs" variant="default" onClick={() => setShown(saves.length)}>
              Show {saves.length - shown} more
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  );
}

function Example({ save }: { save: ExampleSave }) {
  const { path } = useGame();
  const { player_id, slot, good_version, version, app_version, has_played_on, state } = save;
  const outcome = OUTCOMES[state];
  const at = `${path('players', player_id)}?tab=save`;
  return (
    <div>
      <Group gap="xs" mb={4}>
        <TextLink to={at} fw={500}>
          {player_id}
        </TextLink>
        {slot !== 'main' && <Note className="name">{slot}</Note>}
        {app_version !== null && <Note>game {app_version}</Note>}
        {has_played_on && <Badge color="ochre">played on</Badge>}
        {outcome !== undefined && <Badge color="gray">{outcome}</Badge>}
      </Group>
      {good_version === null ? (
        <Dimmed>No good version is kept.</Dimmed>
      ) : (
        <Differences player_id={player_id} slot={slot} from={version} to={good_version} />
      )}
    </div>
  );
}

/** Shows what changes between two versions of a save. */
function Differences(props: { player_id: string; slot: string; from: number; to: number }) {
  const { player_id, slot, from, to } = props;
  const { inEnvironment } = useGame();
  const read = 'GET /v1/games/{game_id}/players/{player_id}/saves/{version}';
  const before = useRead(read, inEnvironment({ player_id, version: from }, { slot }));
  const after = useRead(read, inEnvironment({ player_id, version: to }, { slot }));
  return (
    <>
      <Note mb={2}>
        From version {from} to version {to}:
      </Note>
      <Loaded query={before} skeleton={<Lines count={2} />}>
        {({ data: old }) => (
          <Loaded query={after} skeleton={<Lines count={2} />}>
            {({ data }) => <SaveDiff before={old} after={data} />}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}
