import { Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useGame } from '../../shell/game.ts';
import { Code } from '../../ui/json/code.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Dimmed } from '../../ui/text.tsx';
import { writeOutsideLines } from './outside-lines.ts';

interface LinesProps {
  address: string;
  isTable: boolean;
  role: 'reports' | 'viewer';
}

export function OutsideDialog(props: LinesProps & { opened: boolean; onClose: () => void }) {
  const { opened, onClose, ...lines } = props;
  return (
    <Modal opened={opened} onClose={onClose} title="Use outside" size="lg">
      {opened && <OutsideLines {...lines} />}
    </Modal>
  );
}

/** The address of a report and the code that reads it, each with a button that copies it. */
function OutsideLines({ address, isTable, role }: LinesProps) {
  const { path } = useGame();
  const lines = writeOutsideLines(address, isTable);
  const link = (
    <TextLink underline="always" to={`${path('access-tokens')}?new=${role}`}>
      Make a token with the role {role === 'reports' ? '“Reports only”' : '“Viewer”'}
    </TextLink>
  );
  return (
    <Stack gap="md">
      <Text size="sm">
        {link}
        {role === 'viewer' && ', because this report is about chosen players'}, and put it into the
        environment variable <code>OVERWORLD_TOKEN</code>: the lines below read it from there.
      </Text>
      <Snippet
        name="Address"
        text={address}
        note={isTable && 'With &format=csv the answer is a table, else JSON.'}
      />
      <Snippet name="curl" text={lines.curl} note="For bash, zsh and other POSIX shells." />
      <Snippet name="Python" text={lines.python} note="With pandas 1.3 or newer." />
      <Snippet name="R" text={lines.r} note={isTable ? undefined : 'With jsonlite.'} />
      <Snippet
        name="JavaScript"
        text={lines.javascript}
        note="For Node 20 or newer, in a module (.mjs). Browsers do not let pages of other sites read the answer."
      />
    </Stack>
  );
}

function Snippet({ name, text, note }: { name: string; text: string; note?: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {name}
      </Text>
      <Code text={text} label={name} />
      {note && <Dimmed mt={4}>{note}</Dimmed>}
    </div>
  );
}
