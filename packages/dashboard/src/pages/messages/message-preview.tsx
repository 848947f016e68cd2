import { Badge, Group, Paper, SimpleGrid, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { wordsOf } from '../../api/failure.ts';
import { useGame } from '../../shell/game.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { readNumber } from '../../ui/forms/read-number.ts';
import { showName } from '../../ui/shown-name.ts';
import { Note, PartTitle } from '../../ui/text.tsx';
import { readAudience } from './message-draft.ts';
import type { Audience, MessageDraft } from './message-draft.ts';
import { rewardWords } from './message-words.ts';

const PREVIEW = 'POST /v1/games/{game_id}/messages/preview';

/** Shows who gets the message, and how it looks. */
export const MessagePreview = ({ draft }: { draft: MessageDraft }) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
    <Recipients draft={draft} />
    <Look draft={draft} />
  </SimpleGrid>
);

function Recipients({ draft }: { draft: MessageDraft }) {
  const { game_id, inEnvironment } = useGame();
  const asked = JSON.stringify(readAudience(draft));
  const [settled] = useDebouncedValue(asked, 300);
  const to = JSON.parse(settled) as Audience | null;
  const { data, error } = useQuery({
    queryKey: [PREVIEW, game_id, inEnvironment().query.environment, settled],
    queryFn: ({ signal }) => call(PREVIEW, { ...inEnvironment(), body: { to: to! } }, signal),
    enabled: to !== null,
    retry: false,
    placeholderData: keepPreviousData,
  });
  const isAsked = to !== null && asked !== 'null';
  return (
    <Paper withBorder p="sm" role="status" mih={90}>
      <PartTitle mb={4}>Who gets it</PartTitle>
      {!isAsked ? (
        <Text size="sm">Say who gets it, and the players are counted here.</Text>
      ) : error ? (
        <Text size="sm">{wordsOf(error)}</Text>
      ) : (
        data && (
          <>
            <Text size="sm">
              <b>{countOf(data.players.count, 'player')}</b> of {formatCount(data.players.of)} now
              {to.type !== 'player' && to.joiners !== 'excluded' && ', and those who come later'}.
            </Text>
            {data.examples.length > 0 && (
              <Note className="name">
                {data.examples.map(({ player_id, name }) => showName(name ?? player_id)).join(', ')}
                {data.players.count > data.examples.length && ' …'}
              </Note>
            )}
          </>
        )
      )}
    </Paper>
  );
}

function Look({ draft: { title, text, rewards } }: { draft: MessageDraft }) {
  const shown = rewards.filter(({ key }) => key !== '');
  return (
    <Paper withBorder p="sm" mih={90}>
      <PartTitle mb={4}>How it looks</PartTitle>
      <Text size="sm" fw={600} className="name">
        {title === '' ? 'Title' : showName(title)}
      </Text>
      {text !== '' && (
        <Text size="sm" className="name" style={{ whiteSpace: 'pre-line' }}>
          {text}
        </Text>
      )}
      <Group gap={4} mt={4}>
        {shown.map(({ quantity, ...reward }, index) => (
          <Badge key={index} color="moss" className="name" tt="none">
            {showName(
              rewardWords({
                ...reward,
                quantity: readNumber(quantity),
                value: readNumber(quantity),
              }),
            )}
          </Badge>
        ))}
      </Group>
    </Paper>
  );
}
