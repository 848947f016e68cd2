import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { NamedCopyButton } from '../../../ui/copy.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import classes from './second-factors.module.css';
import { useCloseDialog } from '../../../ui/forms/dialogs.tsx';

/** Shows new recovery codes, which the server shows only once. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const close = useCloseDialog();
  const text = codes.join('\n');
  return (
    <Stack>
      <Alert color="ochre" py="xs">
        Keep these codes where you find them without your phone. Each logs you in once when you
        cannot use your second factor. They are not shown again.
      </Alert>
      <ul className={`${classes.codes} mono`} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <NamedCopyButton text={text} label="Copy" />
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveFile('overworld-recovery-codes.txt', `${headOf()}\n\n${text}\n`)}
        >
          Download
        </Button>
        <Button
          variant="default"
          leftSection={<IconPrinter size={16} aria-hidden />}
          onClick={() => print(text)}
        >
          Print
        </Button>
      </Group>
      <Group justify="flex-end">
        <Button onClick={close}>I have kept them</Button>
      </Group>
    </Stack>
  );
}

/**
 * Writes the message that a factor was added. The first factor also brings recovery codes, and its message
 * says that logging in now has a second step.
 */
export const wordsOn = (done: string, recovery_codes: string[] | null) =>
  recovery_codes === null
    ? done
    : `${done} Logging in asks for a second step now. Your other sessions were ended.`;

const headOf = () => `Recovery codes of Overworld at ${location.origin}. Each works once.`;

/** Prints only the codes, from a frame that holds nothing else. */
function print(text: string): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  document.body.append(frame);
  const page = frame.contentDocument!;
  page.title = 'Overworld recovery codes';
  const head = page.createElement('p');
  head.textContent = headOf();
  const codes = page.createElement('pre');
  codes.textContent = text;
  page.body.append(head, codes);
  frame.contentWindow!.addEventListener('afterprint', () => frame.remove());
  frame.contentWindow!.print();
}
