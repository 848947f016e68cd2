import { Badge, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useChange, usePages } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { PlayerLink } from '../../shell/player-name.tsx';
import { DangerItem, RowMenu } from '../../ui/actions-menu.tsx';
import { AddButton, RowButton } from '../../ui/buttons.tsx';
import { SwitchChoice } from '../../ui/choice.tsx';
import { formatCount } from '../../ui/format.ts';
import { Confirm, FormDialog, useDialog } from '../../ui/forms/dialogs.tsx';
import { notify } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { showName } from '../../ui/shown-name.ts';
import { menuColumn, agoColumn, column } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { Note, RowName } from '../../ui/text.tsx';
import { Moment } from '../../ui/time/moment.tsx';
import { LIST } from './message-draft.ts';
import type { SentMessage } from './message-draft.ts';
import { MessageForm } from './message-form.tsx';
import { MessagePlayers } from './message-players.tsx';
import type { AskedPlayers } from './message-players.tsx';
import { ScheduleList } from './schedule-list.tsx';
import { audienceWords, rewardWords, stateOf } from './message-words.ts';
import type { MessageState } from './message-words.ts';

/** The time after which the list is loaded again, because players read and claim meanwhile. */
const READ_AGAIN_MS = 15_000;
/** The same while a message is being sent. */
const READ_PROGRESS_MS = 1_500;

const SHOWN = [
  { value: 'all', label: 'All' },
  { value: 'many', label: 'To many' },
  { value: 'player', label: 'To one player' },
] as const;
type Shown = (typeof SHOWN)[number]['value'];

export function Component() {
  const { inEnvironment, can, environment } = useGame();
  const [shown, setShown] = useState<Shown>('all');
  const asked = shown === 'all' ? {} : { audience: shown };
  const [isSending, setSending] = useState(false);
  const messages = usePages(LIST, inEnvironment({}, asked), {
    every: isSending ? READ_PROGRESS_MS : READ_AGAIN_MS,
  });
  const isAnySending = messages.data?.pages.some((page) =>
    page.messages.some((message) => message.is_sending),
  );
  if (isAnySending !== undefined && isAnySending !== isSending) setSending(isAnySending);
  const recall = useChange('POST /v1/games/{game_id}/messages/{message_id}/recall');
  const [writing, dialog] = useDisclosure();
  const recalling = useDialog<SentMessage>();
  const players = useDialog<AskedPlayers>();

  const countColumn = (
    id: 'read' | 'claimed',
    head: string,
    countOf: (message: SentMessage) => number,
  ): Column<SentMessage> =>
    column(id, head, { align: 'end', width: 90 }, (message) =>
      countOf(message) === 0 ? (
        <Text size="sm" c="dimmed">
          0
        </Text>
      ) : (
        <RowButton
          aria-label={`${head} ${countOf(message)}: players of ${message.title}`}
          onClick={() => players.open({ message, state: id })}
        >
          {formatCount(countOf(message))}
        </RowButton>
      ),
    );
  const columns: Column<SentMessage>[] = [
    column('title', 'Message', (message) => (
      <>
        <RowName>{message.title}</RowName>
        <Recipients message={message} />
        {message.reason !== '' && <Note className="name">{message.reason}</Note>}
      </>
    )),
    column('state', 'State', { width: 150 }, (message) => <StateOf message={message} />),
    column('rewards', 'Rewards', ({ rewards }) => (
      <span className="name">{rewards.map(rewardWords).map(showName).join(', ') || '–'}</span>
    )),
    countColumn('read', 'Read', ({ read_count }) => read_count),
    countColumn('claimed', 'Claimed', ({ claimed_count }) => claimed_count),
    agoColumn('sent_at', 'Sent'),
    ...(can('developer')
      ? [
          menuColumn<SentMessage>(
            (message) => <MessageMenu message={message} onRecall={() => recalling.open(message)} />,
            56,
          ),
        ]
      : []),
  ];
  const sendButton = can('developer') && (
    <AddButton onClick={dialog.open}>Send a message</AddButton>
  );

  return (
    <Page
      title="Messages"
      lead="Words and rewards for players, which the game shows. Each reward can be claimed once."
      actions={sendButton}
    >
      <ScheduleList />
      <Group my="sm" maw={360}>
        <SwitchChoice
          choice={{ label: 'Shown messages', value: shown, onChange: setShown, options: SHOWN }}
        />
      </Group>
      <TableCard
        label="Messages"
        columns={columns}
        {...tableOf(messages, 'messages')}
        rowKey={({ id }) => id}
        emptyTitle="No messages"
        emptyWords="Tell players that the servers are back, give everyone of a bad night 50 coins, or make it good for one player."
        emptyAction={sendButton}
      />
      <FormDialog
        opened={writing}
        onClose={dialog.close}
        title={`Send a message in ${environment}`}
        size="lg"
      >
        <MessageForm />
      </FormDialog>
      <Confirm
        {...recalling.frame}
        title="Recall this message?"
        action="Recall message"
        onConfirm={async () => {
          const { id } = recalling.item!;
          await recall.mutateAsync(inEnvironment({ message_id: id }));
          notify.done('Message recalled');
        }}
      >
        <b className="name">{showName(recalling.item?.title)}</b> disappears from all players, and
        nobody can claim it any more. The rewards of{' '}
        {formatCount(recalling.item?.claimed_count ?? 0)}{' '}
        {recalling.item?.claimed_count === 1 ? 'player who has' : 'players who have'} claimed it
        stay. This cannot be undone.
      </Confirm>
      <MessagePlayers {...players.frame} asked={players.item} />
    </Page>
  );
}

function Recipients({ message }: { message: SentMessage }) {
  const { player_id } = message.to;
  if (player_id === undefined) {
    return <Note className="name">to {showName(audienceWords(message))}</Note>;
  }
  return (
    <Group gap={4} wrap="nowrap">
      <Note>to</Note>
      <PlayerLink player_id={player_id} />
    </Group>
  );
}

const STATES: Record<MessageState, { color: string; label: string }> = {
  sending: { color: 'ochre', label: 'Sending' },
  coming: { color: 'ochre', label: 'Coming' },
  running: { color: 'moss', label: 'Running' },
  ended: { color: 'gray', label: 'Ended' },
  recalled: { color: 'clay', label: 'Recalled' },
};

function StateOf({ message }: { message: SentMessage }) {
  const state = stateOf(message);
  const { sent_at, starts_at, ends_at, recalled_at } = message;
  const time = {
    sending: sent_at,
    coming: starts_at,
    running: ends_at,
    ended: ends_at,
    recalled: recalled_at,
  }[state];
  const words = {
    sending: 'finding its players since',
    coming: 'from',
    running: 'until',
    ended: '',
    recalled: '',
  }[state];
  return (
    <>
      <Badge color={STATES[state].color}>{STATES[state].label}</Badge>
      {time !== null && (
        <Note>
          {words} <Moment at={time} to={state === 'sending' ? 'second' : 'minute'} />
        </Note>
      )}
    </>
  );
}

function MessageMenu({ message, onRecall }: { message: SentMessage; onRecall: () => void }) {
  if (['recalled', 'ended'].includes(stateOf(message))) return null;
  return (
    <RowMenu name={message.title}>
      <Menu.Label>{showName(message.sent_by ?? 'Sent by a server key')}</Menu.Label>
      <DangerItem onClick={onRecall}>Recall…</DangerItem>
    </RowMenu>
  );
}
