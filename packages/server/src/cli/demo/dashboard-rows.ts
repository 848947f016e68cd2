import { randomUUID } from 'node:crypto';
import type { Card } from '@overworld/contract/dashboards/cards';
import type { ArchiveLine } from '../../features/backups/archive/format.ts';
import { at, table } from './demo-game.ts';

type DemoCard = Pick<Card, 'title' | 'report' | 'chart'> & Partial<Card>;

const CARDS: DemoCard[] = [
  { title: 'Daily active players', report: 'active-players', chart: 'daily', width: 'full' },
  { title: 'New players', report: 'active-players', chart: 'new_players' },
  { title: 'Retention', report: 'retention', chart: 'curve' },
  { title: 'Purchases', report: 'events', chart: 'counts', query: 'event_name=purchase&limit=1' },
  {
    title: 'Spending by item',
    report: 'breakdown',
    chart: 'sum',
    query: 'event_name=purchase&group_by=item&property=price',
  },
];

/** The dashboard that a studio looks at each morning. */
export function* dashboardLines(game_id: string): Generator<ArchiveLine> {
  const cards = CARDS.map((card) => ({
    id: randomUUID(),
    query: '',
    width: 'half',
    last_days: 30,
    from: null,
    to: null,
    ...card,
  }));
  yield table('dashboards', 'game_id, name, position, cards, updated_at');
  yield [game_id, 'Every morning', '1', JSON.stringify(cards), at(Date.now())];
}
