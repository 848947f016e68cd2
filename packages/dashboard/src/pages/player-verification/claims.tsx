import { Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { roleForKeys, useGame } from '../../shell/game.ts';
import { RoleNote } from '../../shell/role-note.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { countOf } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';
import { Card } from '../../ui/page.tsx';

type Setting = Answer<'GET /v1/games/{game_id}/player-verification'>;

/** Lets the reader choose whether a login may take over an existing player by its id. */
export function Claims({ current }: { current: Setting }) {
  const { environment, inEnvironment, canChangeKeys } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}/player-verification');
  const [asking, setAsking] = useState(false);
  const { allows_claims, player_count, claimed_player_count } = current;
  const unclaimed_count = player_count - claimed_player_count;
  const unclaimed = countOf(unclaimed_count, 'player');
  const save = () =>
    update
      .mutateAsync({ ...inEnvironment(), body: { allows_claims: !allows_claims } })
      .then(() => notify.done('The setting applies from now on'));

  return (
    <Card title="Taking over players">
      <Stack gap="sm">
        <Switch
          checked={allows_claims}
          onChange={() => setAsking(true)}
          disabled={!canChangeKeys(environment) || update.isPending}
          label="A login may take over an existing player by its id"
          description={`A game that had players before it had logins needs this: the first login names the id that the device used until now, and keeps its progress. But everybody who has the game and knows the id of a player without a login can take that player over. Switch it off under “Required”, when your players have logged in, or before the launch of a game whose builds all log in. ${unclaimed} in ${environment} ${unclaimed_count === 1 ? 'has' : 'have'} no login.`}
        />
        <RoleNote role={roleForKeys(environment)} />
      </Stack>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={
          allows_claims
            ? `Refuse logins that take over players in ${environment}?`
            : `Let logins take over players in ${environment}?`
        }
        action={allows_claims ? 'Refuse them' : 'Let them'}
        onConfirm={save}
      >
        {allows_claims
          ? `${unclaimed} without a login can then be given to a device only by your own server. A device that names one of them starts as a new player.`
          : `Everybody who has the game and knows the id of one of ${unclaimed} without a login can take that player over.`}
      </Confirm>
    </Card>
  );
}
