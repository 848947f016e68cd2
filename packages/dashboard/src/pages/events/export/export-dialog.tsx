import { Button, Modal, Progress, SegmentedControl, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { sentence, wordsOf } from '../../../api/failure.ts';
import { RangePicker } from '../../../reports/days/range-picker.tsx';
import { useReportRange } from '../../../reports/days/use-report-range.ts';
import { ENVIRONMENT_NAMES, useGame } from '../../../shell/game.ts';
import { countOf, formatBytes, formatCount } from '../../../ui/format.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { showName } from '../../../ui/shown-name.ts';
import { Dimmed, FailureText, Note } from '../../../ui/text.tsx';
import { FORMATS, receiveFile } from './receive-file.ts';
import type { FileFormat, Received } from './receive-file.ts';
import { DialogButtons } from '../../../ui/forms/dialog-buttons.tsx';

const COUNT = 'GET /v1/games/{game_id}/events/export/count';

const WORDS: Record<FileFormat, { name: string; note: string }> = {
  parquet: { name: 'Parquet', note: 'For DuckDB, pandas and ClickHouse: the smallest file.' },
  ndjson: { name: 'NDJSON', note: 'For scripts: a JSON object on each line.' },
  csv: {
    name: 'CSV',
    note: 'For spreadsheets: an apostrophe stands wherever a formula would begin.',
  },
};

/** The events to export: all of the environment, or those of a name or a player. */
interface Filter {
  event_name?: string | undefined;
  player_id?: string | undefined;
}

/** Saves the events of some days as a file. Closing the dialog stops the download. */
export function ExportDialog({ filter, onClose }: { filter: Filter; onClose: () => void }) {
  const { inEnvironment, environment } = useGame();
  const range = useReportRange();
  const { from, to } = range;
  const [format, setFormat] = useState<FileFormat>('parquet');
  const query = { ...filter, from, to };
  const count = useRead(COUNT, inEnvironment({}, query), { keep: true, slow: true });
  const file = useFile();

  const download = () =>
    file.load(
      inEnvironment({}, { ...query, format }),
      `events-${environment}-${from}-${to}.${format}`,
    );
  return (
    <Modal
      opened
      onClose={onClose}
      title="Export events"
      size="lg"
      padding="sm"
      closeOnClickOutside={false}
    >
      <Stack>
        <FilterWords environment={ENVIRONMENT_NAMES[environment]} filter={filter} />
        <fieldset disabled={file.received !== null} style={{ all: 'unset' }}>
          <Stack gap="sm">
            <RangePicker range={range} />
            <SegmentedControl
              aria-label="Format"
              data={FORMATS.map((value) => ({ value, label: WORDS[value].name }))}
              value={format}
              onChange={(value) => setFormat(value as FileFormat)}
              disabled={file.received !== null}
            />
            <Note>{WORDS[format].note}</Note>
          </Stack>
        </fieldset>
        {file.received === null ? (
          <Dimmed role="status" mih={20}>
            {count.data &&
              !count.isPlaceholderData &&
              sentence(`${writeCount(count.data)} received in these days.`)}
            {count.error && wordsOf(count.error)}
          </Dimmed>
        ) : (
          <FileProgress received={file.received} format={format} count={count.data} />
        )}
        {file.problem && <FailureText>{file.problem}</FailureText>}
        <DialogButtons>
          <Button variant="default" onClick={file.received === null ? onClose : file.stop}>
            {file.received === null ? 'Close' : 'Cancel'}
          </Button>
          <Button
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={file.received !== null}
            onClick={download}
          >
            Download
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  );
}

interface EventCount {
  event_count: number;
  is_complete: boolean;
}

const writeCount = ({ event_count, is_complete }: EventCount) =>
  `${is_complete ? '' : 'more than '}${countOf(event_count, 'event')}`;

function FilterWords({ environment, filter }: { environment: string; filter: Filter }) {
  const { event_name, player_id } = filter;
  return (
    <Dimmed className="name">
      {environment}: {event_name === undefined ? 'all events' : 'events named '}
      {event_name !== undefined && <code>{showName(event_name)}</code>}
      {player_id !== undefined && (
        <>
          {' of the player '}
          <code>{showName(player_id)}</code>
        </>
      )}
    </Dimmed>
  );
}

function FileProgress(props: {
  received: Received;
  format: FileFormat;
  count: EventCount | undefined;
}) {
  const { received, format, count } = props;
  const { bytes, lines } = received;
  const size = `${formatBytes(bytes)} received`;
  // Parquet has no lines by which its events could be counted as they arrive.
  if (format === 'parquet' || !count?.is_complete) {
    return (
      <Dimmed role="status">{count ? `${size}, of ${writeCount(count)}.` : `${size}.`}</Dimmed>
    );
  }
  const events = Math.min(lines, count.event_count);
  const percent = Math.floor((100 * events) / Math.max(1, count.event_count));
  return (
    <div>
      <Progress value={percent} aria-label="Progress of the export" />
      <Note mt={4} role="status">
        {size}, {formatCount(events)} of {countOf(count.event_count, 'event')}.
      </Note>
    </div>
  );
}

/** Loads a file and saves it on the reader's device. `received` is null while no file is loaded. */
function useFile() {
  const [received, setReceived] = useState<Received | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const load = async (input: Parameters<typeof receiveFile>[0], name: string) => {
    const { signal } = (running.current = new AbortController());
    setProblem(null);
    setReceived({ bytes: 0, lines: 0 });
    try {
      saveFile(name, await receiveFile(input, signal, setReceived));
    } catch (error) {
      if (!signal.aborted) setProblem(wordsOf(error));
    } finally {
      setReceived(null);
    }
  };
  return { received, problem, load, stop: () => running.current?.abort() };
}
