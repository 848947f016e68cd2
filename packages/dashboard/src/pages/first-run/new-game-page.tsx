import { Autocomplete, Button, Group, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import { useNavigate } from 'react-router';
import { useChange, useRead } from '../../api/hooks.ts';
import { gamePath } from '../../shell/game.ts';
import { logOut } from '../../shell/log-out.ts';
import { ContourGlyph } from '../../ui/contours/contour-glyph.tsx';
import { Mark } from '../../ui/contours/mark.tsx';
import classes from './new-game-page.module.css';
import { Dimmed } from '../../ui/text.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { ownZone } from '../../ui/time/own-zone.ts';

const timeZones = Intl.supportedValuesOf('timeZone');

export function Component() {
  useDocumentTitle('New game · Overworld');
  const navigate = useNavigate();
  const games = useRead('GET /v1/games', {});
  const create = useChange('POST /v1/games');
  const form = useForm({
    initialValues: { name: '', time_zone: ownZone, player_name_property: 'name' },
  });
  const isFirst = games.data?.games.length === 0;

  return (
    <main className={classes.ground}>
      <div className={classes.sheet}>
        <Group gap={10} mb="xl" className={classes.brand}>
          <Mark size={26} />
          Overworld
        </Group>
        <Form
          form={form}
          onSubmit={({ player_name_property, ...body }) =>
            create.mutateAsync({
              body: player_name_property === '' ? body : { ...body, player_name_property },
            })
          }
          onDone={({ id }) => navigate(gamePath(id, 'development', 'start'))}
          head={
            <Group wrap="nowrap" align="flex-start">
              <div style={{ flex: 1 }}>
                <Title order={1}>{isFirst ? 'Your first game' : 'New game'}</Title>
                <Dimmed mt={4}>
                  A game has its own players, events and keys. You become its owner.
                </Dimmed>
              </div>
              <ContourGlyph seed={form.values.name || 'a game'} size={64} />
            </Group>
          }
        >
          <TextInput label="Name" placeholder="My game" autoFocus {...form.getInputProps('name')} />
          <Autocomplete
            label="Time zone"
            description="Sets when days begin in analytics and leaderboards. You can change it later."
            data={timeZones}
            limit={50}
            {...form.getInputProps('time_zone')}
          />
          <TextInput
            label="Player names"
            description="The property of players that holds their names, as your game sends it. You can change it later."
            placeholder="None: players are shown by their ids"
            maxLength={255}
            spellCheck={false}
            {...form.getInputProps('player_name_property')}
          />
          <Group justify="space-between" mt="xs">
            {isFirst ? (
              <Button variant="subtle" color="gray" onClick={logOut}>
                Log out
              </Button>
            ) : (
              <ButtonLink variant="subtle" color="gray" to="/">
                Cancel
              </ButtonLink>
            )}
            <Button type="submit" loading={form.submitting}>
              Create game
            </Button>
          </Group>
        </Form>
      </div>
    </main>
  );
}
