import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useChange } from '../../api/hooks.ts';
import { LEFT_GAME, useGame } from '../../shell/game.ts';
import { RoleNote } from '../../shell/role-note.tsx';
import { Dimmed } from '../../ui/text.tsx';
import { Confirm } from '../../ui/forms/dialogs.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { DayOf } from '../../ui/time/moment.tsx';
import { notify } from '../../ui/notify.tsx';
import { Card, Cards, Page } from '../../ui/page.tsx';
import { PlayerNamesCard } from './player-names-card.tsx';
import { TimeZoneCard } from './time-zone-card.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { showName } from '../../ui/shown-name.ts';

export function Component() {
  const { game, can } = useGame();
  return (
    <Page title="Settings">
      <Cards>
        <Card title="Game">
          <NameForm key={game.id} />
          <Stack gap={4} mt="md">
            <Fact name="Id">
              <code>{game.id}</code>
              <CopyButton text={game.id} label="Copy game id" />
            </Fact>
            <Fact name="Created">
              <DayOf at={game.created_at} />
            </Fact>
            <Fact name="Your role">{game.role}</Fact>
          </Stack>
        </Card>
        <TimeZoneCard />
        <PlayerNamesCard />
        {can('owner') && <DeleteGame />}
      </Cards>
    </Page>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Group gap="xs" wrap="nowrap" mih={28}>
      <Dimmed w={90} style={{ flex: 'none' }}>
        {showName(name)}
      </Dimmed>
      <Group gap={4} wrap="nowrap" fz="sm" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {children}
      </Group>
    </Group>
  );
}

function NameForm() {
  const { game, game_id, can } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}');
  const form = useForm({ initialValues: { name: game.name } });
  const submit = async (body: typeof form.values) => {
    await update.mutateAsync({ params: { game_id }, body });
    notify.done('Renamed');
    form.resetDirty();
  };
  return (
    <Form form={form} onSubmit={submit} gap="xs">
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Name"
          disabled={!can('admin')}
          style={{ flex: 1 }}
          {...form.getInputProps('name')}
        />
        {can('admin') && (
          <Button type="submit" loading={form.submitting} disabled={!form.isDirty()}>
            Rename
          </Button>
        )}
      </Group>
      <RoleNote role="admin" />
    </Form>
  );
}

function DeleteGame() {
  const { game, game_id } = useGame();
  const navigate = useNavigate();
  const remove = useChange('DELETE /v1/games/{game_id}', { leaves: true });
  const [asking, dialog] = useDisclosure();
  return (
    <Card title="Delete this game">
      <Text size="sm" mb="md">
        Its players, events, saves, achievements, leaderboards and keys are erased, in both
        environments. This cannot be undone.
      </Text>
      <Button color="clay" variant="outline" onClick={dialog.open}>
        Delete game
      </Button>
      <Confirm
        opened={asking}
        onClose={dialog.close}
        title="Delete this game?"
        action="Delete game permanently"
        typed={game.name}
        onConfirm={async () => {
          await remove.mutateAsync({ params: { game_id } });
          void navigate(LEFT_GAME);
        }}
      >
        <b>{showName(game.name)}</b> is deleted with all its players and everything they did, in
        both environments. Its keys stop working at once. This cannot be undone.
      </Confirm>
    </Card>
  );
}
