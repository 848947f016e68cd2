import { usePages } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { EventTable } from '../events/event-table.tsx';
import { Card } from '../../ui/page.tsx';
import type { Player } from './player-overview.tsx';

export function PlayerTimeline({ player: { player_id } }: { player: Player }) {
  const { inEnvironment } = useGame();
  const events = usePages('GET /v1/games/{game_id}/events', inEnvironment({}, { player_id }));
  return (
    <Card flush>
      <EventTable events={events} withPlayer={false} />
    </Card>
  );
}
