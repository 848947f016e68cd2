import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** A button that copies a text, and then shows `Copied` for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <Tooltip label={clipboard.copied ? 'Copied' : label}>
      <ActionIcon
        variant="subtle"
        color={clipboard.copied ? 'moss' : 'gray'}
        aria-label={clipboard.copied ? 'Copied' : label}
        onClick={() => clipboard.copy(text)}
      >
        {clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}

/** A `CopyButton` with a visible label. */
export function NamedCopyButton({ text, label }: { text: string; label: string }) {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <Button
      variant="default"
      leftSection={
        clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
      }
      onClick={() => clipboard.copy(text)}
    >
      {clipboard.copied ? 'Copied' : label}
    </Button>
  );
}
