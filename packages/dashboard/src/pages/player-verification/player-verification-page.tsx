import { Alert, Radio, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import type { Verification } from '@overworld/contract/players/verification';
import { wordsOf } from '../../api/failure.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { ENVIRONMENT_NAMES, roleForKeys, useGame } from '../../shell/game.ts';
import { RoleNote } from '../../shell/role-note.tsx';
import { Note } from '../../ui/text.tsx';
import { Confirm, useDialog } from '../../ui/forms/dialogs.tsx';
import { countOf, formatCount, formatShare, isFew } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';
import { Card, Cards, Loaded, Page } from '../../ui/page.tsx';
import { Stat } from '../../ui/stat.tsx';
import { useState } from 'react';

type Setting = Answer<'GET /v1/games/{game_id}/player-verification'>;

/**
 * The interval at which the numbers are loaded again. The
 * server adds up its counts of calls at the same interval.
 */
const READ_AGAIN_MS = 10_000;

const CHOICES: { value: Verification; label: string; description: string }[] = [
  {
    value: 'off',
    label: 'Off',
    description: 'The key of the game is enough: with it, a call may name any player.',
  },
  {
    value: 'claimed',
    label: 'Claimed players',
    description:
      'A player who has logged in once is used with that player’s token alone. Builds without login still play with players who never logged in.',
  },
  {
    value: 'required',
    label: 'Required',
    description: 'Every call about a player needs that player’s token. Other calls are refused.',
  },
];

export function Component() {
  const { environment, inEnvironment } = useGame();
  const setting = useRead('GET /v1/games/{game_id}/player-verification', inEnvironment(), {
    every: READ_AGAIN_MS,
  });
  return (
    <Page
      title="Player verification"
      lead={`Decides for ${environment} which calls must prove who the player is. Server keys may act for any player in any case.`}
    >
      <Loaded query={setting}>
        {(current) => (
          <Cards>
            <Choice current={current} />
            <Claims current={current} />
            <Numbers current={current} />
          </Cards>
        )}
      </Loaded>
    </Page>
  );
}

function Choice({ current }: { current: Setting }) {
  const { environment, inEnvironment, canChangeKeys } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}/player-verification');
  const asking = useDialog<Verification>();
  const save = (verification: Verification) =>
    update
      .mutateAsync({ ...inEnvironment(), body: { verification } })
      .then(() => notify.done('The setting applies from now on'));
  const mayChange = canChangeKeys(environment);

  return (
    <Card title={ENVIRONMENT_NAMES[environment]}>
      <Stack>
        {update.error !== null && (
          <Alert color="clay" py="xs" role="alert">
            {wordsOf(update.error)}
          </Alert>
        )}
        <Radio.Group
          label="Calls that need a player token"
          value={current.verification}
          onChange={(value) => asking.open(value as Verification)}
        >
          <Stack gap="sm" mt="sm">
            {CHOICES.map((choice) => (
              <Radio key={choice.value} disabled={!mayChange || update.isPending} {...choice} />
            ))}
          </Stack>
        </Radio.Group>
        <RoleNote role={roleForKeys(environment)} />
      </Stack>
      <Confirm
        {...asking.frame}
        title={`Change player verification in ${environment}?`}
        action="Change it"
        onConfirm={() => save(asking.item!)}
      >
        {asking.item !== null && <Consequence wanted={asking.item} current={current} />}
      </Confirm>
    </Card>
  );
}

/** Tells the reader what harm a change from the current setting to the wanted setting can do. */
function Consequence({ wanted, current }: { wanted: Verification; current: Setting }) {
  const { player_count, claimed_player_count, last_day, verification } = current;
  if (wanted === 'off') {
    return 'From then on everybody who has the game can act for every player, also for those who have logged in.';
  }
  if (wanted === 'claimed' && verification === 'required') {
    return `From then on everybody who has the game can act for ${countOf(player_count - claimed_player_count, 'player')} who never logged in.`;
  }
  if (wanted === 'claimed') {
    return `Calls without a token are refused for ${countOf(claimed_player_count, 'player')} who logged in, and for every player who logs in later. Builds that cannot log in lose these players.`;
  }
  const all = last_day.with_token + last_day.without_token;
  return `Calls without a token are refused. In the last 24 hours these were ${formatCount(last_day.without_token)} of ${countOf(all, 'call')} about players. Builds that cannot log in stop working.`;
}

function Numbers({ current }: { current: Setting }) {
  const { player_count, claimed_player_count, last_day } = current;
  const all = last_day.with_token + last_day.without_token;
  const share = (part: number, whole: number) =>
    isFew(whole) ? '' : ` (${formatShare(part / whole)})`;
  return (
    <Card title="Ready for “Required”?">
      <SimpleGrid cols={2} spacing="lg" mb="md">
        <Stat label="Players" value={formatCount(player_count)} />
        <Stat label="Have logged in" value={formatCount(claimed_player_count)} />
        <Stat label="Calls in 24 hours" value={formatCount(all)} />
        <Stat label="Without a token" value={formatCount(last_day.without_token)} />
      </SimpleGrid>
      <Text size="sm">
        In the last 24 hours {countOf(last_day.without_token, 'call')}
        {share(last_day.without_token, all)} came without a token, and “Required” refuses such
        calls. {countOf(claimed_player_count, 'player')} of {formatCount(player_count)} logged in
        {share(claimed_player_count, player_count)}.
      </Text>
      <Note mt={6}>
        Calls about a player by client keys, counted by the hour. Calls with a server key, and
        reading boards, need no token.
      </Note>
    </Card>
  );
}

/**
 * Lets the reader choose whether a login may take over a player, or make one, by naming the player's id.
 */
function Claims({ current }: { current: Setting }) {
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
          label="A login may take over a player by its id"
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
          ? `${unclaimed} without a login can then be given to a device only by your own server. A device that names one of them, or an id that is not in use, starts as a new player.`
          : `Everybody who has the game and knows the id of one of ${unclaimed} without a login can take that player over.`}
      </Confirm>
    </Card>
  );
}
