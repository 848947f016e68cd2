import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { download } from '../api/client.ts';
import type { Input, ReadRoute } from '../api/operations.ts';
import { useGame } from '../shell/game.ts';
import { IconDownload } from '../ui/icons.ts';
import { notify } from '../ui/notify.tsx';
import { saveCsv } from '../ui/save-file.ts';

/** Reports that the server also gives as a file. */
export type ReportRoute = Extract<ReadRoute, `GET /v1/games/{game_id}/analytics/${string}`>;

/** Downloads a report as a CSV file. The download stops when the reader leaves the page. */
export function CsvButton<R extends ReportRoute>(props: {
  route: R;
  input: Input<R>;
  /** The name of the file, without that of the game and without the ending. */
  name: string;
}) {
  const { route, input, name } = props;
  const { game } = useGame();
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const save = async () => {
    const { signal } = (running.current = new AbortController());
    setBusy(true);
    try {
      const { query } = input as { query?: object };
      const asCsv = { ...(input as object), query: { ...query, format: 'csv' } } as Input<R>;
      saveCsv(`${game.name}-${name}`, await download(route, asCsv, signal));
    } catch (error) {
      if (!signal.aborted) notify.failed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={14} aria-hidden />}
      aria-label={`Download ${name}.csv`}
      loading={busy}
      onClick={save}
    >
      CSV
    </Button>
  );
}
