import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ENVIRONMENT_NAMES, ENVIRONMENTS, useGame } from '../shell/game.ts';
import type { CopiedKind } from './copy-props.ts';
import { CopySteps } from './copy-steps.tsx';

/** Copies all definitions of a kind from this environment to the other one, after the plan was shown. */
export function CopyButton({ kind }: { kind: CopiedKind }) {
  const { environment, can } = useGame();
  const [opened, dialog] = useDisclosure();
  if (!can('developer')) return null;
  const to = ENVIRONMENTS.find((name) => name !== environment)!;
  const title = `Copy to ${ENVIRONMENT_NAMES[to].toLowerCase()}`;
  return (
    <>
      <Button size="xs" variant="default" aria-haspopup="dialog" onClick={dialog.open}>
        {title}…
      </Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={title}
        size="lg"
        closeOnClickOutside={false}
      >
        {opened && <CopySteps kind={kind} from={environment} to={to} onClose={dialog.close} />}
      </Modal>
    </>
  );
}
