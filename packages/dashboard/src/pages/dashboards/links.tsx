import { Alert, Badge, Button, Code, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DEFAULT_LINK_DAYS, MAX_LINK_DAYS } from '@overworld/contract/dashboards/limits';
import type { Environment } from '@overworld/contract/common';
import { useState } from 'react';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { ENVIRONMENT_NAMES, ENVIRONMENTS, useGame } from '../../shell/game.ts';
import { Ago, DayOf } from '../../ui/time/moment.tsx';
import { NamedCopyButton } from '../../ui/copy.tsx';
import { Note, PartTitle, RowName } from '../../ui/text.tsx';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { notify } from '../../ui/notify.tsx';
import { Loaded } from '../../ui/page.tsx';
import type { Dashboard } from './use-cards.ts';
import classes from './dashboard.module.css';
import { DialogButtons } from '../../ui/forms/dialog-buttons.tsx';

const LINKS = 'GET /v1/games/{game_id}/dashboards/{dashboard_id}/links';
type Link = Answer<typeof LINKS>['links'][number];

/** Shows the links to a dashboard. Everybody who has a link sees the dashboard. */
export function Links({ dashboard }: { dashboard: Dashboard }) {
  const { game_id } = useGame();
  const params = { game_id, dashboard_id: dashboard.id };
  const read = useRead(LINKS, { params });
  const [made, setMade] = useState<string | null>(null);
  return (
    <Stack>
      <Text size="sm">
        Everybody who has a link sees these charts, and charts that are pinned later, without an
        account. Values show as they are: if you break events down by ids of players, the link shows
        these ids.
      </Text>
      {dashboard.cards.length === 0 && (
        <Alert color="ochre" py="xs">
          This dashboard has no charts yet: until you pin one, a link shows an empty page.
        </Alert>
      )}
      {made === null ? (
        <NewLink dashboard={dashboard} onMade={setMade} />
      ) : (
        <MadeLink link={made} onDone={() => setMade(null)} />
      )}
      <Loaded query={read}>
        {({ links }) =>
          links.length === 0 ? null : (
            <div>
              <PartTitle mb={4}>Links that work</PartTitle>
              <ul aria-label="Links that work">
                {links.map((link) => (
                  <LinkRow key={link.id} link={link} dashboard_id={dashboard.id} />
                ))}
              </ul>
            </div>
          )
        }
      </Loaded>
    </Stack>
  );
}

const LIFETIMES = [1, 7, DEFAULT_LINK_DAYS, 90, MAX_LINK_DAYS];

function NewLink(props: { dashboard: Dashboard; onMade: (link: string) => void }) {
  const { dashboard, onMade } = props;
  const { game_id, environment } = useGame();
  const create = useChange('POST /v1/games/{game_id}/dashboards/{dashboard_id}/links');
  const form = useForm({
    initialValues: { note: '', days: String(DEFAULT_LINK_DAYS), environment },
  });
  return (
    <DialogForm
      form={form}
      onSubmit={({ note, days, environment: shown }) =>
        create.mutateAsync({
          params: { game_id, dashboard_id: dashboard.id },
          body: { note: note.trim(), expires_in_days: Number(days), environment: shown },
        })
      }
      onDone={({ link }) => onMade(link)}
      action="Make link"
      isStep
      gap="sm"
    >
      <TextInput
        label="For"
        description="So that you know later who has it"
        placeholder="The publisher"
        maxLength={100}
        data-autofocus
        {...form.getInputProps('note')}
      />
      <Group grow align="flex-start">
        <Select
          label="Works for"
          data={LIFETIMES.map((days) => ({
            value: String(days),
            label: days === 1 ? '1 day' : `${days} days`,
          }))}
          {...form.getInputProps('days')}
        />
        <Select
          label="Shows"
          data={ENVIRONMENTS.map((value: Environment) => ({
            value,
            label: ENVIRONMENT_NAMES[value],
          }))}
          {...form.getInputProps('environment')}
        />
      </Group>
    </DialogForm>
  );
}

function MadeLink({ link, onDone }: { link: string; onDone: () => void }) {
  return (
    <Stack gap="sm">
      <Code block className="name" style={{ whiteSpace: 'pre-wrap' }} data-testid="link">
        {link}
      </Code>
      <Alert color="ochre" py="xs">
        Copy it now: it is not shown again.
      </Alert>
      <DialogButtons>
        <Button variant="default" onClick={onDone}>
          Make another
        </Button>
        <NamedCopyButton text={link} label="Copy link" />
      </DialogButtons>
    </Stack>
  );
}

function LinkRow({ link, dashboard_id }: { link: Link; dashboard_id: string }) {
  const { game_id } = useGame();
  const revoke = useChange('DELETE /v1/games/{game_id}/dashboards/{dashboard_id}/links/{link_id}');
  const [asks, setAsks] = useState(false);
  const { id, note, environment, created_by, expires_at, last_used_at } = link;
  const name = note || 'Link without a note';
  const end = () =>
    revoke
      .mutateAsync({ params: { game_id, dashboard_id, link_id: id } })
      .then(() => notify.done('The link does not work any more'), notify.failed);
  return (
    <li className={classes.row} style={{ paddingInline: 0 }}>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Group gap={8}>
          <RowName>{name}</RowName>
          {environment === 'development' && <Badge color="ochre">development</Badge>}
        </Group>
        <Note className="name">
          Until <DayOf at={expires_at} />, last used <Ago at={last_used_at} />
          {created_by && `, made by ${created_by}`}
        </Note>
      </div>
      {asks ? (
        <Group gap={6} wrap="nowrap">
          <Button size="xs" variant="default" onClick={() => setAsks(false)}>
            Keep
          </Button>
          <Button size="xs" color="clay" loading={revoke.isPending} onClick={end}>
            Revoke
          </Button>
        </Group>
      ) : (
        <Button
          size="xs"
          variant="default"
          aria-label={`Revoke ${name}`}
          onClick={() => setAsks(true)}
        >
          Revoke…
        </Button>
      )}
    </li>
  );
}
