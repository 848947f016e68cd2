import { Autocomplete, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { SaveRule } from '@overworld/contract/players/merges';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { Failure, wordsOf } from '../../../api/failure.ts';
import { useChange, useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { PlayerName } from '../../../shell/player-name.tsx';
import { FailureText, NameAndWords } from '../../../ui/text.tsx';
import { Confirm } from '../../../ui/forms/dialogs.tsx';
import { SwitchField } from '../../../ui/forms/switch-field.tsx';
import { notify } from '../../../ui/notify.tsx';
import { Lines } from '../../../ui/page.tsx';
import { MergePreview } from './merge-preview.tsx';

const ROUTE = 'POST /v1/games/{game_id}/players/{player_id}/merge';
const TYPING_MS = 300;
const MAX_SUGGESTIONS = 8;

/** Merges another player into the player of the page, after a preview. */
export function MergeDialog(props: { player_id: string; opened: boolean; onClose: () => void }) {
  const { player_id, opened, onClose } = props;
  const { inEnvironment } = useGame();
  const [other, setOther] = useState('');
  const [saves, setSaves] = useState<SaveRule>('newest');
  const merge = useChange(ROUTE);
  const inputOf = (preview: boolean) => ({
    ...inEnvironment({ player_id }),
    body: { from_player_id: other, saves, preview },
  });
  const preview = useQuery({
    queryKey: [ROUTE, 'preview', inputOf(true)],
    queryFn: ({ signal }) => call(ROUTE, inputOf(true), signal),
    enabled: opened && other !== '' && other !== player_id,
    retry: false,
    staleTime: 0,
  });
  const isReady = preview.data !== undefined && !preview.isFetching;

  const close = () => {
    setOther('');
    onClose();
  };
  return (
    <Confirm
      opened={opened}
      onClose={close}
      size="lg"
      title="Merge with another player"
      action="Merge players permanently"
      typed={isReady && other.length <= 40 ? other : undefined}
      waits={!isReady}
      onConfirm={async () => {
        await merge.mutateAsync(inputOf(false));
        notify.done('Players merged');
      }}
    >
      <Stack gap="md">
        <Text size="sm">
          For one person with two players.{' '}
          <b className="name">
            <PlayerName player_id={player_id} />
          </b>{' '}
          stays and gets everything that the other player has. The other player ends. This cannot be
          undone.
        </Text>
        <OtherPlayer player_id={player_id} onChoose={setOther} />
        <SwitchField
          label="Where both have a save, keep"

          value={saves}
          onChange={(value) => setSaves(value as SaveRule)}
          data={[
            { value: 'newest', label: 'the newest' },
            { value: 'target', label: 'this player’s' },
            { value: 'source', label: 'the other’s' },
          ]}
        />
        {preview.data ? (
          <MergePreview player_id={player_id} merge={preview.data} />
        ) : preview.error ? (
          <FailureText>
            {preview.error instanceof Failure && preview.error.status === 404
              ? 'No player has this id'
              : wordsOf(preview.error)}
          </FailureText>
        ) : (
          preview.isFetching && <Lines count={3} />
        )}
      </Stack>
    </Confirm>
  );
}

/**
 * The field for the id of the other player. The id is chosen when the reader takes a suggestion or leaves
 * the field.
 */
function OtherPlayer(props: { player_id: string; onChoose: (player_id: string) => void }) {
  const { player_id, onChoose } = props;
  const { inEnvironment } = useGame();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, TYPING_MS);
  const found = useRead(
    'GET /v1/games/{game_id}/players',
    inEnvironment({}, { limit: MAX_SUGGESTIONS, search: search || undefined }),
    { keep: true },
  );
  const others = (found.data?.players ?? []).filter((player) => player.player_id !== player_id);
  const ids = others.map((player) => player.player_id);
  return (
    <Autocomplete
      label="The other player, who ends"
      placeholder="Part of a name, or the id"
      data={ids}
      filter={({ options }) => options}
      value={text}
      onChange={(value) => {
        setText(value);
        onChoose(ids.includes(value) ? value : '');
      }}
      onBlur={() => onChoose(text)}
      error={text === player_id && 'Choose another player than this one'}
      renderOption={({ option: { value } }) => {
        const name = others.find((player) => player.player_id === value)?.name ?? value;
        return <NameAndWords name={name} words={name !== value && value} dir="auto" />;
      }}
      spellCheck={false}
      data-autofocus
    />
  );
}
