import { Checkbox, Stack } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useChange, useRead, useRequired } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { ToldAlerts } from '../alerts/told-alerts.tsx';
import { ENVIRONMENT_NAMES, LEFT_GAME, useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/time/moment.tsx';
import { Confirm } from '../../ui/forms/dialogs.tsx';
import { countOf } from '../../ui/format.ts';
import { Lines } from '../../ui/page.tsx';
import { TextLink } from '../../ui/links.tsx';
import { FailureText } from '../../ui/text.tsx';
import { showName } from '../../ui/shown-name.ts';

const KEYS = 'GET /v1/games/{game_id}/api-keys';
type ApiKey = Answer<typeof KEYS>['api_keys'][number];
/** The number of keys to load, which is more than the working keys that a game may have. */
const ALL = 200;

interface RemoveMemberProps {
  /** Null while the dialog is closed. */
  member: { account_id: string; email: string } | null;
  onClose: () => void;
}

/**
 * Asks for confirmation before a member leaves or is removed, and offers to revoke keys of that member.
 */
export function RemoveMemberDialog({ member, onClose }: RemoveMemberProps) {
  const { game, game_id } = useGame();
  const navigate = useNavigate();
  const me = useRequired('GET /v1/auth/me', {});
  const isSelf = member?.account_id === me.id;
  const remove = useChange('DELETE /v1/games/{game_id}/members/{account_id}', { leaves: isSelf });
  const keys = useRead(
    KEYS,
    { params: { game_id }, query: { state: 'valid', limit: ALL } },
    { enabled: member !== null },
  );
  const [chosen, setChosen] = useState<string[]>([]);
  const made = (keys.data?.api_keys ?? []).filter(
    ({ created_by }) => member !== null && created_by?.account_id === member.account_id,
  );
  const revoked = made.filter(({ id }) => chosen.includes(id));
  const action = isSelf ? 'Leave' : 'Remove member';
  const close = () => {
    setChosen([]);
    onClose();
  };

  return (
    <Confirm
      opened={member !== null}
      onClose={close}
      title={isSelf ? `Leave ${game.name}?` : 'Remove this member?'}
      action={revoked.length === 0 ? action : `${action}, revoke ${countOf(revoked.length, 'key')}`}
      typed={
        revoked.some(({ environment }) => environment === 'production') ? member?.email : undefined
      }
      waits={keys.isPending}
      onConfirm={async () => {
        await remove.mutateAsync({
          params: { game_id, account_id: member!.account_id },
          query: { revoke_api_keys: revoked.map(({ id }) => id) },
        });
        if (isSelf) void navigate(LEFT_GAME);
      }}
    >
      {isSelf ? (
        <>
          You lose access to this game until somebody invites you again. Your access tokens lose it
          for good.
        </>
      ) : (
        <>
          <b>{member?.email}</b> loses access to <b>{showName(game.name)}</b> at once, with all
          access tokens.
        </>
      )}
      {member !== null && <ToldAlerts id={member.account_id} />}
      {keys.isPending && <Lines count={2} />}
      {keys.error !== null && (
        <FailureText mt="sm">
          The API keys {isSelf ? 'you' : 'they'} made cannot be shown. Look at them first.
        </FailureText>
      )}
      {made.length > 0 && (
        <KeysMade keys={made} isSelf={isSelf} chosen={chosen} onChoose={setChosen} />
      )}
    </Confirm>
  );
}

function KeysMade(props: {
  keys: ApiKey[];
  isSelf: boolean;
  chosen: string[];
  onChoose: (ids: string[]) => void;
}) {
  const { keys, isSelf, chosen, onChoose } = props;
  const { canChangeKeys, path } = useGame();
  return (
    <Checkbox.Group
      mt="md"
      value={chosen}
      onChange={onChoose}
      label={`API keys that ${isSelf ? 'you' : 'they'} made`}
      description={
        <>
          They go on working, because games use them. Choose those to revoke: games that send them
          are refused within a second. To replace one without that,{' '}
          <TextLink to={path('api-keys')} size="xs">
            rotate it
          </TextLink>{' '}
          first.
        </>
      }
    >
      <Stack gap="xs" mt="xs">
        {keys.map(({ id, name, environment, prefix, last_used_at }) => (
          <Checkbox
            key={id}
            value={id}
            disabled={!canChangeKeys(environment)}
            label={
              <>
                {name} <code>{prefix}…</code>
              </>
            }
            description={
              <>
                {ENVIRONMENT_NAMES[environment]},{' '}
                {last_used_at ? (
                  <>
                    last used <Ago at={last_used_at} />
                  </>
                ) : (
                  'never used'
                )}
              </>
            }
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
