import { List, Text } from '@mantine/core';
import { useRead } from '../../api/hooks.ts';
import { gamePath } from '../../shell/game.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { FailureText } from '../../ui/text.tsx';

/** The most keys in the dialog: nobody reads more. */
const SHOWN = 20;

/** Names the working API keys that an account made, each with a link to the page that revokes it. */
export function KeysMade({ account_id }: { account_id: string }) {
  const keys = useRead('GET /v1/admin/users/{account_id}/api-keys', {
    params: { account_id },
    query: { limit: SHOWN },
  });
  if (keys.error) {
    return <FailureText mt="sm">The API keys that they made cannot be shown.</FailureText>;
  }
  if (!keys.data?.api_keys.length) return null;
  return (
    <>
      <Text size="sm" mt="sm">
        API keys that they made go on working. Revoke or rotate them in their games:
      </Text>
      <List size="sm" mt={4}>
        {keys.data.api_keys.map(({ id, game_id, game_name, name, environment, prefix }) => (
          <List.Item key={id} className="name">
            <TextLink to={gamePath(game_id, environment, 'api-keys')} underline="always">
              {game_name}
            </TextLink>
            : {name} <code>{prefix}…</code>
          </List.Item>
        ))}
        {keys.data.next_cursor && <List.Item>and more</List.Item>}
      </List>
    </>
  );
}
