import { Button, Group, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { usePages } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DebouncedSearch } from '../../ui/forms/debounced-search.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { DataQuality } from './quality/data-quality.tsx';
import { EventCounts } from './counts/event-counts.tsx';
import { EventTable } from './event-table.tsx';

const ExportDialog = lazy(async () => ({
  default: (await import('./export/export-dialog.tsx')).ExportDialog,
}));

const LIVE_EVERY_MS = 2_000;

export function Component() {
  const { path } = useGame();
  return (
    <Page
      title="Events"
      lead="Events from your game, as they arrive."
      actions={
        <ButtonLink variant="default" to={path('start')}>
          How to send events
        </ButtonLink>
      }
    >
      <PageTabs
        tabs={[
          { value: 'newest', name: 'Newest', panel: () => <NewestEvents /> },
          { value: 'counts', name: 'Counts', panel: () => <EventCounts /> },
          { value: 'quality', name: 'Data quality', panel: () => <DataQuality /> },
        ]}
      />
    </Page>
  );
}

function NewestEvents() {
  const { inEnvironment, can } = useGame();
  const [exporting, exportDialog] = useDisclosure();
  const { search, set } = useSearchState();
  const [isLive, setLive] = useState(true);
  const filter = {
    event_name: search.get('event_name') ?? undefined,
    player_id: search.get('player_id') ?? undefined,
  };
  const events = usePages('GET /v1/games/{game_id}/events', inEnvironment({}, filter), {
    every: isLive ? LIVE_EVERY_MS : false,
  });
  return (
    <>
      <Group gap="xs" mb="sm">
        <DebouncedSearch
          label="Event name"
          placeholder="Name of the event"
          value={search.get('event_name') ?? ''}
          onChange={(text) => set({ event_name: text })}
        />
        <DebouncedSearch
          label="Player id"
          placeholder="Id of the player"
          value={search.get('player_id') ?? ''}
          onChange={(text) => set({ player_id: text })}
        />
        <Switch
          label="Live"
          checked={isLive}
          onChange={(event) => setLive(event.currentTarget.checked)}
        />
        {can('developer') && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={exportDialog.open}
          >
            Export
          </Button>
        )}
      </Group>
      <Suspense>
        {exporting && <ExportDialog filter={filter} onClose={exportDialog.close} />}
      </Suspense>
      <Card flush>
        <EventTable events={events} />
      </Card>
    </>
  );
}
