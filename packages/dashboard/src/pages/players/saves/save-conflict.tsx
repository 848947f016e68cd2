import { Alert, Button, Stack } from '@mantine/core';
import { parseExactly } from '../../../api/exact-json.ts';
import { Ago } from '../../../ui/time/moment.tsx';
import { SaveDiff } from './save-diff.tsx';
import type { EditedVersion } from './use-save-text.ts';
import { useCloseDialog } from '../../../ui/forms/dialogs.tsx';
import { PartTitle } from '../../../ui/text.tsx';
import { DialogButtons } from '../../../ui/forms/dialog-buttons.tsx';

/**
 * Says that the game has stored a new version while the reader edited the save, and offers ways to
 * continue.
 */
export function SaveConflict(props: {
  /** The version that the reader edited. */
  base: EditedVersion;
  /** The version that the game has stored meanwhile. */
  server: EditedVersion;
  deleted_at: string | null;
  onGoOn: (server: EditedVersion, keeps_text: boolean) => void;
}) {
  const { base, server, deleted_at, onGoOn } = props;
  const close = useCloseDialog();
  const isDeleted = deleted_at !== null;
  return (
    <Stack>
      <Alert color="ochre" role="alert" py="xs">
        {isDeleted ? (
          <>
            The game has deleted the save <Ago at={deleted_at} />. Nothing was stored. Restore a
            version first, then edit it.
          </>
        ) : (
          <>The game has saved version {server.version} meanwhile. Nothing was stored.</>
        )}
      </Alert>
      {!isDeleted && (
        <div>
          <PartTitle mb={4}>Changed by the game since version {base.version}</PartTitle>
          <SaveDiff
            before={parseExactly(base.text) as object}
            after={parseExactly(server.text) as object}
          />
        </div>
      )}
      <DialogButtons>
        <Button variant="default" onClick={close}>
          {isDeleted ? 'Close' : 'Cancel'}
        </Button>
        {!isDeleted && (
          <>
            <Button variant="default" onClick={() => onGoOn(server, false)}>
              Edit version {server.version} instead
            </Button>
            <Button onClick={() => onGoOn(server, true)} data-autofocus>
              Compare my text with version {server.version}
            </Button>
          </>
        )}
      </DialogButtons>
    </Stack>
  );
}
