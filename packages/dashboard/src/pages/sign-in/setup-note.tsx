import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Code } from '../../ui/json/code.tsx';
import { SignInNote } from './sign-in-form.tsx';

/** Shown on a new installation that was opened without the link that the server printed. */
export function SetupNote({ others }: { others: ReactNode }) {
  return (
    <SignInNote title="Set up Overworld" others={others}>
      <Stack gap="sm">
        <Text>
          This installation has no administrator yet. The server printed a link at its start, after{' '}
          <b>Next:</b> in its terminal or log. Open it to make the administrator’s account.
        </Text>
        <Text>To print it again, run this in the folder of Overworld:</Text>
        <Code text="npx overworld setup-link" label="command" />
        <Text>In Docker:</Text>
        <Code
          text={'docker compose exec overworld \\\n  overworld setup-link'}
          label="Docker command"
        />
        <Text size="sm" c="dimmed">
          The link proves that you run the server. Without it, the first visitor would administer
          all games.
        </Text>
      </Stack>
    </SignInNote>
  );
}
