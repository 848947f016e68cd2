import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { MAX_SAVE_BYTES } from '@overworld/contract/saves/limits';
import { useMemo, useRef, useState } from 'react';
import { parseExactly } from '../../../api/exact-json.ts';
import { Failure, wordsOf } from '../../../api/failure.ts';
import { useChange } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { useCloseDialog } from '../../../ui/forms/dialogs.tsx';
import { formatBytes } from '../../../ui/format.ts';
import { notify } from '../../../ui/notify.tsx';
import { Lines, Loaded } from '../../../ui/page.tsx';
import { readObjectText } from './json-text.ts';
import type { JsonProblem } from './json-text.ts';
import { SaveConflict } from './save-conflict.tsx';
import { SaveDiff } from './save-diff.tsx';
import { useReadText, useSaveText } from './use-save-text.ts';
import type { EditedVersion, SavePlace } from './use-save-text.ts';
import { FailureText } from '../../../ui/text.tsx';
import { DialogButtons } from '../../../ui/forms/dialog-buttons.tsx';

interface EditorProps {
  save: SavePlace;
  /** The version that the game loads. */
  version: number;
  /** Called when the edit is stored. */
  onStored: () => void;
}

/** Edits a save as JSON, and shows the changes before they are stored as a new version. */
export function SaveEditor({ version, ...props }: EditorProps) {
  // The game may save while the dialog is open.
  const [first_version] = useState(version);
  const text = useSaveText(props.save, first_version);
  return (
    <Loaded query={text} skeleton={<Lines count={8} />}>
      {(loaded) => <Editor {...props} loaded={loaded} />}
    </Loaded>
  );
}

/** Indents the stored JSON, so that people can read it. */
const layOut = ({ text }: EditedVersion) => readObjectText(text).json?.pretty ?? text;
const dataOf = (text: string) => parseExactly(text) as object;

function Editor(props: Omit<EditorProps, 'version'> & { loaded: EditedVersion }) {
  const { save, loaded, onStored } = props;
  const close = useCloseDialog();
  const [base, setBase] = useState(loaded);
  const [text, setText] = useState(() => layOut(loaded));
  const [isReviewing, setReviewing] = useState(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const { problem, json } = useMemo(() => readObjectText(text), [text]);
  const { store, isStoring, refusal } = useStore(save, base.version, setConflict, () => {
    onStored();
    close();
  });
  const size = json ? new Blob([json.compact]).size : 0;
  const isTooLarge = size > MAX_SAVE_BYTES;
  const isChanged = json !== null && json.compact !== readObjectText(base.text).json?.compact;

  if (conflict) {
    const goOn = (next: EditedVersion, keeps_text: boolean) => {
      setBase(next);
      if (!keeps_text) setText(layOut(next));
      setReviewing(keeps_text);
      setConflict(null);
    };
    return <SaveConflict base={base} {...conflict} onGoOn={goOn} />;
  }
  if (isReviewing && json) {
    return (
      <Stack>
        <Text size="sm">
          Changes to version {base.version}. They become version {base.version + 1}; the version
          before stays in the history. A running game gets a version conflict the next time it
          saves.
        </Text>
        <SaveDiff before={dataOf(base.text)} after={dataOf(json.compact)} />
        {refusal && <FailureText>{refusal}</FailureText>}
        <DialogButtons>
          <Button variant="default" onClick={() => setReviewing(false)}>
            Back to the text
          </Button>
          <Button loading={isStoring} onClick={() => void store(json.compact)} data-autofocus>
            Save as a new version
          </Button>
        </DialogButtons>
      </Stack>
    );
  }
  return (
    <Stack>
      <JsonField
        label={`Data of version ${base.version}`}
        text={text}
        problem={problem}
        onChange={setText}
      />
      <DialogButtons justify="space-between">
        <Text size="xs" c={isTooLarge ? 'var(--mantine-color-error)' : 'dimmed'}>
          {json && `${formatBytes(size)} of ${formatBytes(MAX_SAVE_BYTES)}`}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button disabled={!isChanged || isTooLarge} onClick={() => setReviewing(true)}>
            Review the changes
          </Button>
        </Group>
      </DialogButtons>
    </Stack>
  );
}

/** A field for the JSON, with its first mistake and a button that leads to the mistake. */
function JsonField(props: {
  label: string;
  text: string;
  problem: JsonProblem | null;
  onChange: (text: string) => void;
}) {
  const { label, text, problem, onChange } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const goTo = ({ at }: JsonProblem) => {
    field.current?.focus();
    field.current?.setSelectionRange(at, at);
  };
  return (
    <>
      <Textarea
        ref={field}
        label={label}
        rows={20}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        data-autofocus
        styles={{
          input: {
            color: 'var(--mantine-color-text)',
            fontFamily: 'var(--mantine-font-family-monospace)',
            fontSize: 12.5,
          },
        }}
        value={text}
        onChange={({ currentTarget: { value } }) => onChange(value)}
        error={problem && `Line ${problem.line}, column ${problem.column}: ${problem.words}`}
      />
      {problem && (
        <Button
          size="compact-sm"
          variant="subtle"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => goTo(problem)}
        >
          Go to line {problem.line}
        </Button>
      )}
    </>
  );
}

interface Conflict {
  server: EditedVersion;
  /** The time at which the game deleted the save; null while there is a save. */
  deleted_at: string | null;
}

/** Stores an edit, unless the game has saved since. */
function useStore(
  save: SavePlace,
  version: number,
  onConflict: (conflict: Conflict) => void,
  onDone: () => void,
) {
  const { inEnvironment } = useGame();
  const edit = useChange('POST /v1/games/{game_id}/players/{player_id}/saves');
  const readText = useReadText(save);
  const [isStoring, setStoring] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  const storeOnce = async (data: string) => {
    const input = inEnvironment({ player_id: save.player_id }, { slot: save.slot });
    // The data is sent as text, because parsing would change numbers with many digits.
    const body = new Blob([`{"version":${version},"data":${data}}`]) as never;
    try {
      const stored = await edit.mutateAsync({ ...input, body });
      notify.done(`Saved as version ${stored.version}`);
      onDone();
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 409) throw error;
      const { server_version, deleted_at } = error.body;
      const server = await readText(Number(server_version));
      onConflict({ server, deleted_at: typeof deleted_at === 'string' ? deleted_at : null });
    }
  };
  const store = async (data: string) => {
    setStoring(true);
    setRefusal(null);
    await storeOnce(data).catch((error: unknown) => setRefusal(wordsOf(error)));
    setStoring(false);
  };
  return { store, isStoring, refusal };
}
